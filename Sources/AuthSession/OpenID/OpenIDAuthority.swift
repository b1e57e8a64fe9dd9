import APIClient
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

    var validates: Bool { provider.metadata.optional.userInfo != nil }

    var reachesServer: Bool { validates }

    var retriesSignOut: Bool { true }

    func canRefresh(_ tokens: TokenSet) -> Bool { tokens.refreshToken != nil }

    func refresh(
        _ tokens: TokenSet,
        of user: User?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        guard let refreshToken = tokens.refreshToken else { return .failed(AuthSessionError(.notRenewable)) }
        let start = clock.moment()
        do {
            let answer = try await provider.refreshed(
                with: refreshToken,
                previous: tokens.idToken,
                of: user?.id,
                boundTo: tokens.dpopKey,
                leavingWhile: isInTime
            )
            return .refreshed(IssuedTokens(tokens: answer.tokens, requestedAt: start, idToken: answer.idToken))
        } catch {
            return RefreshOutcome(providerFailure: error)
        }
    }

    /// The claims about the person: who gets them has a session that still stands.
    ///
    /// - Returns: The person; nil where the provider has no such endpoint, or gives another answer than yes and no.
    /// - Throws: `APIError` (`unauthorized`; `unreachable`); `CancellationError`.
    func validate(_ tokens: TokenSet, of user: User?) async throws -> User? {
        guard validates else { return nil }
        let subject = tokens.idToken.flatMap { try? UnverifiedJWT($0).claims.subject } ?? user?.id
        do {
            let info = try await provider.userInfo(with: tokens.accessToken, of: subject, boundTo: tokens.dpopKey)
            return User(subject: info.subject) { info.claims[$0] }
        } catch let error as UserInfoError {
            switch error.code {
            case .unauthorized: throw APIError(.unauthorized)
            case .unreachable, .serverFailed: throw APIError(.unreachable)
            default: return nil
            }
        }
    }

    /// Asked of the userinfo endpoint, which takes every access token of a sign-in.
    func takes(_ tokens: TokenSet) async -> Bool? {
        do {
            _ = try await provider.userInfo(with: tokens.accessToken, of: nil, boundTo: tokens.dpopKey)
            return true
        } catch let error as UserInfoError where error.code == .unauthorized {
            return false
        } catch {
            return nil
        }
    }

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
