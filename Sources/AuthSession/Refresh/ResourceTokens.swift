// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The access tokens of a session for other APIs.
///
/// A refresh gets them by the steps of a refresh, or a token exchange by ``exchangedTokens(_:)``.
extension AuthSession {
    /// Returns an access token of this session for another API; it is secret.
    ///
    /// The token is kept with the session, in the same item of the store, until it is due. A new one is requested once
    /// for all waiting tasks and processes. A server that refuses the API or the scope does not end the session. If the
    /// request fails, a token that is due is returned until it expires. A sign-out ends the token too. Restores the
    /// session if that has not been done.
    ///
    /// - Throws: ``AuthSessionError`` (`contractMismatch` if the backend has no such tokens, or the target is empty;
    ///   `refreshRefused` or `refreshFailed` with the server's code if it refuses the API or the scope;
    ///   `noRefreshToken`; the codes of ``accessToken()``); `CancellationError` at once if the task is cancelled.
    public nonisolated func accessToken(
        for target: TokenTarget,
        by grant: ResourceTokenGrant = .refreshToken
    ) async throws -> AccessToken {
        try await tokens(for: target, by: grant).accessToken
    }

    /// Returns an access token as ``accessToken(for:by:)`` does, with its lifetime and scope; no other token.
    ///
    /// The scope is the requested one if the server named none.
    public func tokens(for target: TokenTarget, by grant: ResourceTokenGrant = .refreshToken) async throws -> TokenSet {
        try await tokens(for: ResourceRequest(target: target, grant: grant))
    }

    /// Returns the source of this session's credentials for another API, for an `APIClient` or another HTTP client.
    ///
    /// It requests nothing before it is used. Its tokens are chosen and kept as by ``accessToken(for:by:)``.
    public nonisolated func credentials(
        for target: TokenTarget,
        by grant: ResourceTokenGrant = .refreshToken
    ) -> some AccessTokenSource {
        ResourceCredentials(session: self, request: ResourceRequest(target: target, grant: grant))
    }

    /// Returns the kept access token for another API, unless it is rejected or due, else a new one; with the session's key.
    fileprivate func tokens(
        for request: ResourceRequest,
        insteadOf rejected: AccessToken? = nil
    ) async throws -> TokenSet {
        guard authority.policy.resourceTokenGrants.contains(request.grant), !request.target.isEmpty else {
            throw AuthSessionError(.contractMismatch)
        }
        let session = try await requireCurrent().record
        let epoch = self.epoch
        if let rejected, core.isOfEarlierSession(rejected) { throw AuthSessionError(.notSignedIn) }
        let kept = session.resourceTokens[request]
        let usable = kept.flatMap { $0.accessToken == rejected ? nil : $0 }
        if let usable, deadline(of: usable).isFresh(at: clock.uptime()) {
            return usable.tokens(of: session.tokens, at: clock.reading())
        }
        do {
            guard request.grant == .tokenExchange else {
                return try await newTokens(for: request, superseding: kept?.accessToken, in: epoch)
            }
            return try await exchanged(request, superseding: kept?.accessToken, in: epoch)
        } catch let error as AuthSessionError where !error.endsSession && isCurrent(epoch) {
            guard let usable, !deadline(of: usable).hasEnded(at: clock.uptime()) else { throw error }
            return usable.tokens(of: session.tokens, at: clock.reading())
        }
    }

    /// Exchanges the session's own access token, and once more with another one if the server may have refused it.
    ///
    /// The server may have revoked a token that is valid by the clock. A token of the last five minutes is not
    /// replaced, so that an exchange that is refused for another reason does not refresh the session each time.
    private func exchanged(
        _ request: ResourceRequest,
        superseding superseded: AccessToken?,
        in epoch: Int
    ) async throws -> TokenSet {
        let presented = try await tokensToSend()
        do {
            return try await newTokens(for: request, superseding: superseded, in: epoch)
        } catch let error as AuthSessionError where error.mayConcernSubjectToken {
            guard isCurrent(epoch), mayReplace(presented) else { throw error }
            do {
                _ = try await tokensToSend(insteadOf: presented.accessToken)
            } catch let failure as AuthSessionError where !failure.endsSession {
                throw error
            }
            return try await newTokens(for: request, superseding: superseded, anew: true, in: epoch)
        }
    }

    /// Returns whether a refresh may replace the session's own tokens although they are valid by the clock.
    private func mayReplace(_ tokens: TokenSet) -> Bool {
        let now = clock.reading()
        guard let current, let issuedAt = tokens.lifetime.restated(at: now).issuedAt else { return false }
        // Sent again, a used refresh token may end the session.
        return authority.canRefresh(tokens) && !isPastReplay(current)
            && now.date.timeIntervalSince(issuedAt) > 300
    }

    private func newTokens(
        for request: ResourceRequest,
        superseding superseded: AccessToken?,
        anew: Bool = false,
        in epoch: Int
    ) async throws -> TokenSet {
        try await waitForOthers(than: request)
        guard isCurrent(epoch) else { throw AuthSessionError(.notSignedIn) }
        let tokens = try await join(request, superseding: superseded, anew: anew).value()
        // Another user's token must not reach the caller.
        guard isCurrent(epoch) else { throw AuthSessionError(.notSignedIn) }
        return tokens
    }

    /// Returns the token for another API, or the tokens beside an ID token, if a new one is at hand: another process may
    /// have requested it.
    ///
    /// - Throws: ``AuthSessionError`` (`refreshOutcomeUnknown`) if the refresh must not be sent for another API.
    func tokensAtHand(in session: CurrentSession, for flight: RefreshFlight) throws(AuthSessionError) -> TokenSet? {
        if let known = flight.idTokens, session.record.idTokens != known, !isReplayDue(session),
            session.deadline.freshness(at: clock.uptime()) != .expired
        {
            return session.record.tokens
        }
        guard let request = flight.request else { return nil }
        if let token = session.record.resourceTokens[request], token.accessToken != flight.superseded,
            deadline(of: token).isFresh(at: clock.uptime())
        {
            return token.tokens(of: session.record.tokens, at: clock.reading())
        }
        // Presented again, the old token may look like a thief's. Only the session's own refresh risks that, unless its
        // access token has no end.
        let isRisky = request.grant == .refreshToken && isPastReplay(session) && session.deadline.end != nil
        if isRisky { throw AuthSessionError(.refreshOutcomeUnknown) }
        return nil
    }

    /// 8. Publish: takes over another API's access token, after the write of a refresh and before that of an exchange.
    func publish(_ token: ResourceToken, of record: SessionRecord) throws(AuthSessionError) -> TokenSet {
        // The user may have signed in anew, in another process: that session has other tokens.
        guard current?.record.isOfSameSignIn(as: record) == true else { throw AuthSessionError(.notSignedIn) }
        modify { $0.keep(token) }
        return token.tokens(of: record.tokens, at: clock.reading())
    }

    /// Exchanges the session's access token for another API's, which uses up nothing and needs no journal.
    func exchangedTokens(_ flight: RefreshFlight) async throws -> TokenSet {
        // Another process may have exchanged it.
        _ = try await adoptReadable(in: flight.epoch)
        let current = try session(in: flight.epoch)
        guard let request = flight.request else { throw AuthSessionError(.contractMismatch) }
        if let tokens = try tokensAtHand(in: current, for: flight) { return tokens }
        if coordinator.isLimitReached(for: request, at: clock.uptime()) {
            throw AuthSessionError(.tooManyRefreshes)
        }
        coordinator.noteSent(for: request, at: clock.uptime())
        let session = current.record
        let outcome = await authority.refresh(session.tokens, for: request, of: session.user, sendGuard: { true })
        flight.note { $0.outcome = .init(outcome) }
        guard isCurrent(flight.epoch), self.current?.record.isOfSameSignIn(as: session) == true else {
            if case .refreshed(let response) = outcome { revokeUnused(response.tokens, of: session.user) }
            throw absence()
        }
        switch outcome {
        case .refreshed(let response):
            let token = ResourceToken(response.tokens, for: request)
            let tokens = try publish(token, of: session)
            do {
                try await updateStored(in: flight.epoch, where: { $0.isOfSameSignIn(as: session) }) {
                    $0.resourceTokens.keep(token)
                }
            } catch {
                logger.debug("the access token for another API could not be written to the store")
            }
            _ = try self.session(in: flight.epoch)
            return tokens
        case .mismatched(let error, let revocation):
            addTrailingWork(revocation)
            throw error
        case .refused(let error): throw error.coded(.refreshRefused)
        case .rotated(_, let error), .unknown(let error), .doubtful(let error), .failed(let error): throw error
        }
    }

    /// Returns the times at which a token for another API is due and expires.
    private func deadline(of token: ResourceToken) -> TokenDeadline {
        TokenDeadline(token.lifetime, at: clock.reading(), window: authority.policy.refreshWindow, early: 0)
    }

    fileprivate func credential(
        _ request: ResourceRequest,
        insteadOf rejected: AccessToken? = nil
    ) async throws -> AccessCredential {
        publisher.credential(for: try await tokens(for: request, insteadOf: rejected))
    }
}

/// The source of a session's credentials for another API.
private struct ResourceCredentials: AccessTokenSource {
    let session: AuthSession
    let request: ResourceRequest

    /// The origins of the target's `resources`, as of ``AuthSession/allowedOrigins``.
    ///
    /// Nil if the target has only names that say nothing of a server's address, such as an audience. The session's own if
    /// it has only a scope.
    var allowedOrigins: Set<String>? {
        TokenSet.origins(of: request.resources(besides: session.publisher.tokens?.resources ?? []))
    }

    func credential() async throws -> AccessCredential { try await session.credential(request) }

    func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
        try await session.credential(request, insteadOf: rejected)
    }
}

extension AuthSessionError {
    /// Whether the server may have refused the presented access token.
    ///
    /// RFC 8693, 2.2.2: `invalid_request`. Some servers have other codes.
    fileprivate var mayConcernSubjectToken: Bool {
        ["invalid_request", "invalid_grant", "invalid_token"].contains(serverCode?.rawValue)
    }
}
