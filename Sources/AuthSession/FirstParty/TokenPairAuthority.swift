import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Contract B: an access token that lives for minutes, and a refresh token that rotates.
struct TokenPairAuthority: SessionAuthority {
    let backend: FirstPartyClient

    var refreshWindow: RefreshWindow { .shortLivedToken }

    /// The refresh token rotates, and the reuse of an old one ends the whole family.
    var usesTokenUp: Bool { true }

    /// There is no other call that tells whether the server can be reached again.
    var validates: Bool { false }

    /// The contract promises a window and does not say how long it is; the reference backend's is ten seconds.
    var graceWindow: Duration? { .seconds(10) }

    func refresh(
        _ tokens: TokenSet,
        of user: User?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        guard let refreshToken = tokens.refreshToken else {
            return .failed(AuthSessionError(.refreshFailed))
        }
        let start = backend.clock.moment()
        do {
            let body = RefreshBody(refreshToken: refreshToken.unredacted)
            let answer: TokenPairAnswer = try await backend.call(
                "/api/v1/auth/refresh",
                json: body,
                hiding: [refreshToken.unredacted],
                leavingWhile: isInTime
            )
            return answer.refreshed(requestedAt: start)
        } catch {
            return RefreshOutcome(firstPartyFailure: error)
        }
    }

    /// The contract has no call for it, so this only learns whether the server answers anything at all.
    func validate(_ tokens: TokenSet, of user: User?) async throws -> User? {
        _ = try await backend.client.send(.raw(.get, "/", options: .anonymous))
        return nil
    }

    func signOut(_ tokens: TokenSet) async throws -> Bool {
        guard let refreshToken = tokens.refreshToken else { return false }
        let body = RefreshBody(refreshToken: refreshToken.unredacted)
        try await backend.tell(
            "/api/v1/auth/logout",
            json: body,
            hiding: [refreshToken.unredacted],
            bearer: tokens.accessToken
        )
        return true
    }

    /// Signs in with an address and a password.
    func signIn(
        email: String,
        password: Password,
        rememberMe: Bool,
        device: DeviceInfo
    ) async throws -> SignedIn {
        let start = backend.clock.moment()
        let body = SignInBody(
            email: email,
            password: password.unredacted,
            rememberMe: rememberMe,
            deviceInfo: device
        )
        let answer: TokenPairAnswer = try await backend.call(
            "/api/v1/auth/login",
            json: body,
            hiding: [password.unredacted]
        )
        return SignedIn(issued: try answer.signedIn(requestedAt: start), user: answer.user)
    }

    private struct SignInBody: Encodable {
        let email: String
        let password: String
        let rememberMe: Bool
        let deviceInfo: DeviceInfo
    }

    private struct RefreshBody: Encodable {
        let refreshToken: String
    }
}
