// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession

/// The authority of the contract `tokenPair`: an access token that lives for minutes, and a refresh token that rotates.
struct TokenPairAuthority: FirstPartyAuthority {
    let client: FirstPartyClient
    let contract = SessionBackend.Contract.tokenPair

    /// The reuse of an old refresh token ends the whole token family.
    ///
    /// The contract promises a grace window and does not specify its length. The reference backend uses ten seconds.
    let policy = AuthorityPolicy(rotation: .rotates(graceWindow: .seconds(10)), signOut: .endsSession)

    func canRefresh(_ tokens: TokenSet) -> Bool { tokens.refreshToken != nil }

    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        guard let refreshToken = tokens.refreshToken else {
            return .failed(AuthSessionError(.noRefreshToken))
        }
        let start = client.clock.reading()
        do {
            let body = RefreshBody(refreshToken: refreshToken.unredacted)
            let response: TokenPairResponse = try await client.call(
                "/api/v1/auth/refresh",
                json: body,
                sendGuard: sendGuard
            )
            return response.refreshed(requestedAt: start)
        } catch {
            return RefreshOutcome(failure: error)
        }
    }

    /// Checks only whether the server responds; without a refresh token, only the token's use tells more.
    func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation? {
        guard canRefresh(tokens) else { return nil }
        do {
            try await client.ping()
            return .inconclusive
        } catch {
            return SessionValidation(failure: error)
        }
    }

    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse {
        guard let refreshToken = tokens.refreshToken, let accessToken = tokens.accessToken else {
            return .notApplicable
        }
        do {
            try await client.post(
                "/api/v1/auth/logout",
                json: RefreshBody(refreshToken: refreshToken.unredacted),
                bearer: accessToken
            )
            return .revoked
        } catch {
            return RevocationResponse(failure: error)
        }
    }

    /// Signs in with an email address and a password.
    func signIn(
        email: String,
        password: Password,
        rememberMe: Bool,
        device: DeviceInfo
    ) async throws -> SignedIn {
        let start = client.clock.reading()
        let body = SignInBody(
            email: email,
            password: password.unredacted,
            rememberMe: rememberMe,
            deviceInfo: device
        )
        let response: TokenPairResponse = try await client.call(
            "/api/v1/auth/login",
            json: body
        )
        return SignedIn(issued: try response.signedIn(requestedAt: start), user: response.user)
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
