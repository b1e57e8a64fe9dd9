package import APIClient
public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthSession: FreshBearerSource {
    /// The current access token, where it is fresh.
    package nonisolated var freshBearer: BearerCredential? { snapshot.freshBearer(at: clock.uptime()) }
}

extension AuthSession: AccessTokenSource {
    /// An access token to send now.
    ///
    /// A fresh one is answered without suspending. One that is due soon is answered too, and renewed beside. One that has
    /// expired is renewed first, once for everyone who waits; where the server can't be reached and the token has not
    /// quite ended, it is answered all the same. Restores the session where that has not been done.
    ///
    /// - Returns: The token. Secret.
    /// - Throws: ``AuthSessionError`` (`notSignedIn`, `sessionEnded`, `storeUnavailable`, `unreachable`,
    ///   `refreshOutcomeUnknown`, `refreshFailed`, `notRenewable`, `unsafeAnswer`, `tooManyRefreshes`, `busy`);
    ///   `CancellationError` at once when the task is cancelled.
    public nonisolated func accessToken() async throws -> AccessToken {
        if let token = snapshot.freshAccessToken(at: clock.uptime()) { return token }
        return try await currentToken()
    }

    /// An access token to send after the server refused one: the current one where that is another, else a new one.
    ///
    /// - Parameter rejected: The token that was answered with 401. Secret.
    /// - Returns: Another token. Secret.
    /// - Throws: As ``accessToken()``.
    public func accessToken(insteadOf rejected: AccessToken) async throws -> AccessToken {
        try await refreshedToken(insteadOf: rejected)
    }

    /// An access token that is good for at least a while longer.
    ///
    /// - Parameter span: How long it must live from now.
    /// - Returns: The token. Secret.
    /// - Throws: As ``accessToken()``, and ``AuthSessionError`` (`lifetimeTooShort`) where a new token does not live
    ///   that long either.
    public func accessToken(validFor span: Duration) async throws -> AccessToken {
        let token = try await accessToken()
        if isGood(token, for: span) { return token }
        let renewed = try await refreshedToken(insteadOf: token)
        guard isGood(renewed, for: span) else { throw AuthSessionError(.lifetimeTooShort) }
        return renewed
    }

    /// Gets a new access token now, whether or not one is due, and whether or not the last attempt has just failed.
    ///
    /// - Throws: As ``accessToken()``.
    public func refresh() async throws {
        _ = try await currentHeld()
        _ = try await join(anew: true).value()
    }

    /// A token other than the rejected one: the current one where another request got there first, else a new one.
    ///
    /// Joining is by the token, which is another one in every generation, here and where a token is due by the clock.
    ///
    /// - Parameters:
    ///   - rejected: The token that is not to be had again.
    ///   - promptly: Whether to give up as soon as another process is found to hold the lock.
    /// - Returns: Another token. Secret.
    /// - Throws: As ``accessToken()``.
    func refreshedToken(insteadOf rejected: AccessToken, promptly: Bool = false) async throws -> AccessToken {
        let current = try await currentHeld().record.tokens.accessToken
        guard !handedOut.isOlder(rejected, than: epoch) else { throw AuthSessionError(.notSignedIn) }
        guard current == rejected else { return current }
        let flight = join()
        return try await promptly ? flight.promptValue() : flight.value()
    }

    private func isGood(_ token: AccessToken, for span: Duration) -> Bool {
        guard let held, held.record.tokens.accessToken == token else { return false }
        return held.deadline.lives(for: span, from: clock.uptime())
    }

    private func currentToken() async throws -> AccessToken {
        let held = try await currentHeld()
        let token = held.record.tokens.accessToken
        switch held.deadline.freshness(at: clock.uptime()) {
        case .fresh:
            // Only as long as the server repeats a lost answer is there haste.
            if isReplayDue(held) { _ = join() } else { showTokens(in: state) }
            return token
        case .dueSoon:
            if !isPastReplay(held), authority.canRefresh(held.record.tokens) { _ = join() }
            return token
        case .expired:
            let isLeft = held.deadline.end != nil && !held.deadline.hasEnded(at: clock.uptime())
            do {
                return try await refreshedToken(insteadOf: token, promptly: isLeft)
            } catch let error as AuthSessionError where error.sessionStays {
                guard held.deadline.end != nil, !held.deadline.hasEnded(at: clock.uptime()) else { throw error }
                return token
            }
        }
    }

    /// What is held, after restoring where that has not been done.
    func currentHeld() async throws -> HeldSession {
        await restore(checksServer: false)
        try Task.checkCancellation()
        guard let held else { throw absence() }
        return held
    }

    /// Why there is no session to take a token from.
    func absence() -> AuthSessionError {
        switch state {
        case .locked(let error): AuthSessionError(.storeUnavailable, underlying: error)
        case .signedOut(.endedByServer), .signedOut(.answerLost), .signedOut(.expired):
            endError ?? AuthSessionError(.sessionEnded)
        case .signedOut(.unreadableRecord(let code)):
            AuthSessionError(.notSignedIn, underlying: SessionRecordError(code))
        default: AuthSessionError(.notSignedIn)
        }
    }
}
