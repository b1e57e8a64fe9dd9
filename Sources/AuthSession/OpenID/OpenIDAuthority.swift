import AuthCore
import OpenIDConnect

/// An OpenID provider: an access token, and where one was granted a refresh token that may rotate.
struct OpenIDAuthority: SessionAuthority {
    let provider: OpenIDProvider
    let clock: SessionClock

    var refreshWindow: RefreshWindow { .shortLivedToken }

    /// Whether it rotates nobody says beforehand: so it is taken to.
    var usesTokenUp: Bool { true }

    var graceWindow: Duration? { provider.settings.refreshGraceWindow }

    var validates: Bool { false }

    var retriesSignOut: Bool { true }

    func canRefresh(_ tokens: TokenSet) -> Bool { tokens.refreshToken != nil }

    func refresh(_ tokens: TokenSet, leavingWhile isInTime: @escaping @Sendable () -> Bool) async -> RefreshOutcome {
        guard let refreshToken = tokens.refreshToken else { return .failed(AuthSessionError(.notRenewable)) }
        let start = clock.moment()
        do {
            let answer = try await provider.refreshed(
                with: refreshToken,
                previous: tokens.idToken,
                boundTo: tokens.dpopKey,
                leavingWhile: isInTime
            )
            return .refreshed(IssuedTokens(tokens: answer.tokens, requestedAt: start))
        } catch {
            return RefreshOutcome(providerFailure: error)
        }
    }

    /// There is no call that says whether a session still stands.
    func validate(_ tokens: TokenSet) async throws -> User? { nil }

    func signOut(_ tokens: TokenSet) async throws -> Bool {
        guard provider.takesTokensBack else { return false }
        if let refreshToken = tokens.refreshToken {
            // RFC 7009, 2.1: what was given for it goes with it.
            try await provider.revoke(refreshToken)
        } else {
            try await provider.revoke(tokens.accessToken)
        }
        return true
    }
}

extension TokenSet {
    /// What the tokens are bound to; nil for bearer tokens.
    var dpopKey: DPoPKey? { proofKey.flatMap { DPoPKey($0) } }
}
