// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession: AccessTokenSource {
    /// The current access token with all that a request needs to present it, if the token is fresh.
    ///
    /// Returned without suspending. Secret.
    public nonisolated var freshCredential: AccessCredential? { publisher.freshCredential(at: clock.uptime()) }

    /// The origins of the APIs that the sign-in named, which the access token may go to; nil if it named none.
    ///
    /// A request to another server fails with `APIError` (`originNotAllowed`), unless the app names that server by
    /// `allowing(_:)`. Nil also if each API has a name that is no http or https URL, and as long as there is no session.
    ///
    /// Wire: `resource`. [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
    public nonisolated var allowedOrigins: Set<String>? { publisher.allowedOrigins }

    /// Returns a secret access token like ``accessToken()``, with the key that it is bound to, if it is.
    public nonisolated func credential() async throws -> AccessCredential {
        if let fresh = freshCredential { return fresh }
        return publisher.credential(for: try await tokensToSend())
    }

    /// Returns a secret access token in place of one that got a 401, with the key that it is bound to, if it is.
    ///
    /// The token is the current one if it differs, else a new one.
    ///
    /// - Throws: The errors of ``accessToken()``; ``AuthSessionError`` (`expiredOnArrival`) if the server's new tokens
    ///   are over when they come, so that another one would be refused, too.
    public func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        if let current, current.hasComeExpired, current.record.tokens.accessToken == rejected {
            throw AuthSessionError(.expiredOnArrival)
        }
        do {
            return publisher.credential(for: try await tokens(insteadOf: rejected))
        } catch let error as AuthSessionError where error.code == .noRefreshToken {
            // The session has no other token. It ends if it is over by the clock.
            guard let current, current.record.tokens.accessToken == rejected,
                current.deadline.hasEnded(at: clock.uptime())
            else { throw error }
            _ = await end(AuthSessionError(.sessionEnded), because: .expired)
            throw self.current == nil ? absence() : error
        }
    }
}

extension AuthSession {
    /// Returns an access token to send now; it is secret.
    ///
    /// A fresh token is returned without suspending. A token that is due soon is returned too, and refreshed in the
    /// background. A token that counts as expired, by the margin of its `RefreshWindow`, is refreshed first, once for
    /// all waiting callers. If that refresh fails without ending the session, the token is returned anyway until its
    /// actual expiry. Restores the session if that has not been done.
    ///
    /// - Throws: ``AuthSessionError`` (`notSignedIn`, `sessionEnded`, `storeUnavailable`, `unreachable`,
    ///   `refreshOutcomeUnknown`, `refreshFailed`, `refreshRefused`, `noRefreshToken`, `invalidResponse`,
    ///   `tooManyRefreshes`, `busy`); `CancellationError` at once if the task is cancelled.
    public nonisolated func accessToken() async throws -> AccessToken {
        if let fresh = freshCredential { return fresh.accessToken }
        return try await tokensToSend().accessToken
    }

    /// Returns an access token that is valid for at least a given time from now.
    ///
    /// The first refresh may bring a token that was issued earlier: another process's, or that of a repeated response.
    /// The session is then refreshed once more, if the server's tokens last long enough. A new token that is over when it
    /// comes is returned if the time is zero: the server may accept it.
    ///
    /// - Throws: The errors of ``accessToken()``, and ``AuthSessionError`` (`lifetimeTooShort`) if no new token is valid
    ///   for that long, `expiredOnArrival` if the server's new tokens are over when they come.
    public func accessToken(validFor span: Duration) async throws -> AccessToken {
        let known = try await requireCurrent().record.tokenGeneration
        var token = try await accessToken()
        var attempts = current?.record.tokenGeneration == known ? 0 : 1
        while !isGood(token, for: span) {
            guard let current else { throw absence() }
            if current.hasComeExpired, attempts > 0 {
                guard span <= .zero else { throw AuthSessionError(.expiredOnArrival) }
                return token
            }
            guard attempts == 0 || attempts == 1 && current.record.tokens.lifetime.covers(span) else {
                throw AuthSessionError(.lifetimeTooShort)
            }
            token = try await tokensToSend(insteadOf: token).accessToken
            attempts += 1
        }
        return token
    }

    /// Refreshes the session now, even if no refresh is due, and even if the last attempt has just failed.
    ///
    /// - Throws: The errors of ``accessToken()``.
    public func refresh() async throws {
        _ = try await requireCurrent()
        try await refreshAnew()
    }

    /// Marks an access token that got a 401 as expired, so that the next use of the session refreshes it first.
    ///
    /// So does a process that reads the stored session later. Sends no request. For a program that learns of a refusal and
    /// needs no other token now; others call ``credential(insteadOf:)``. Does nothing if another token is the current one,
    /// or if the session can't be refreshed. Ends no session, but a refusal of the next refresh does.
    ///
    /// - Throws: ``AuthSessionError`` (`notSignedIn`, `sessionEnded`, `storeUnavailable`) if there is no session;
    ///   `SecureStoreError` and ``SessionRecordError`` if the mark can't be stored; `CancellationError`.
    public func invalidate(_ rejected: AccessToken) async throws {
        let tokens = try await requireCurrent().record.tokens
        guard tokens.accessToken == rejected, authority.canRefresh(tokens) else { return }
        let now = clock.reading()
        let known = tokens.lifetime.restated(at: now)
        var ended = TokenLifetime(issuedAt: known.issuedAt, expiresAt: now.date)
        ended.issuedAtBoot = known.issuedAtBoot
        let lifetime = ended
        let deadline = self.deadline(of: lifetime, at: now)
        modify { $0.invalidate(lifetime: lifetime, deadline: deadline) }
        showTokens()
        try await updateStored(in: epoch, where: { $0.tokens.accessToken == rejected }) {
            $0.tokens.lifetime = lifetime
        }
    }

    private func isGood(_ token: AccessToken, for span: Duration) -> Bool {
        guard let current, current.record.tokens.accessToken == token else { return false }
        return current.deadline.lives(for: span, from: clock.uptime())
    }

    /// Returns the tokens whose access token to send now, or in place of a refused one; all of one session.
    ///
    /// - Throws: The errors of ``accessToken()``.
    package func tokensToSend(insteadOf rejected: AccessToken? = nil) async throws -> TokenSet {
        if let rejected { return try await tokens(insteadOf: rejected) }
        let current = try await requireCurrent()
        let tokens = current.record.tokens
        switch current.deadline.freshness(at: clock.uptime()) {
        case .fresh, .expiring:
            if refreshTime(of: current) > clock.uptime() {
                showTokens()
            } else if coordinator.flight == nil {
                _ = join()
            }
            return tokens
        // The clock that says so may be wrong. The server decides.
        case .expired where current.isDeadlineRead && !authority.canRefresh(tokens): return tokens
        case .expired:
            let deadline = current.deadline
            let isLeft = deadline.isLeft(at: clock.uptime())
            do {
                return try await self.tokens(insteadOf: tokens.accessToken, promptly: isLeft)
            } catch let error as AuthSessionError where !error.endsSession {
                if deadline.isLeft(at: clock.uptime()) { return tokens }
                // The token expired during the short wait: only a new one is of use now.
                guard isLeft, error.code == .busy else { throw error }
                return try await self.tokens(insteadOf: tokens.accessToken)
            }
        }
    }

    /// Returns the current session, and restores it first if that has not been done.
    func requireCurrent() async throws -> CurrentSession {
        await restore(validating: false)
        try Task.checkCancellation()
        guard let current else { throw absence() }
        return current
    }
}

extension TokenSet {
    /// Returns the origins of APIs; nil if none of them has an http or https URL.
    ///
    /// A URL that can't be read has no origin, so no request goes there.
    package static func origins(of resources: [String]) -> Set<String>? {
        let urls = resources.filter { ["http", "https"].contains($0.prefix { $0 != ":" }.lowercased()) }
        guard !urls.isEmpty else { return nil }
        return Set(urls.compactMap { try? AbsoluteURL($0, insecureHTTP: .insecurelyAllowHTTP).origin })
    }
}

extension TokenLifetime {
    /// Whether a token that has just been issued is valid for a time span; true if its lifetime is unknown.
    fileprivate func covers(_ span: Duration) -> Bool {
        self.span.map { $0 >= span.timeInterval } ?? true
    }
}
