// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession

/// The authority of the contract `sessionToken`: one long-lived token, which is exchanged for a new one.
struct SessionTokenAuthority: FirstPartyAuthority {
    let client: FirstPartyClient
    let contract = SessionBackend.Contract.sessionToken

    let policy = AuthorityPolicy(refreshWindow: .longLivedToken, rotation: .keepsToken, signOut: .endsSession)

    /// Exchanges the token.
    ///
    /// The old token stays valid, so `sendGuard` is not asked.
    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        let start = client.clock.reading()
        do {
            let response: (value: TokenResponseBody, offset: ClockOffset) =
                try await client.response("/api/auth/refresh", bearer: tokens.accessToken)
            return .refreshed(try Self.issued(response.value.token, requestedAt: start, offset: response.offset))
        } catch {
            return RefreshOutcome(failure: error)
        }
    }

    /// Asks the backend about the session and its user.
    func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation? {
        do {
            let response: UserResponse = try await client.call("/api/auth/validate", bearer: tokens.accessToken)
            return .valid(response.user.user)
        } catch {
            return SessionValidation(failure: error)
        }
    }

    /// Does nothing, because the contract has no call for it.
    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse { .notApplicable }

    /// Signs in with Apple's credential and the raw nonce, whose hash Apple received.
    func signIn(with credential: AppleCredential, nonce: Nonce) async throws -> SignedIn {
        try await signIn(
            "/api/auth/apple",
            SignInBody(
                identity_token: credential.identityToken.unredacted,
                nonce: nonce.unredacted,
                userIdentifier: credential.userIdentifier,
                email: credential.email,
                name: credential.name
            )
        )
    }

    /// Checks whether the backend is there, before a browser is sent to it: any response but a 5xx says so.
    func ping() async throws {
        let status = try await client.ping()
        guard status < 500 else { throw APIError(.serverFailed, status: status) }
    }

    /// Redeems the one-time code of a sign-in with Apple that the backend carried out.
    func redeem(_ code: String, of signIn: AppleRedirectSignIn) async throws -> SignedIn {
        let (verifier, nonce) = (signIn.codeVerifier.unredacted, signIn.nonce.unredacted)
        return try await self.signIn(
            "/api/auth/apple/redeem",
            RedeemBody(code: code, code_verifier: verifier, nonce: nonce)
        )
    }

    private func signIn(
        _ path: String,
        _ body: some Encodable & Sendable
    ) async throws -> SignedIn {
        let start = client.clock.reading()
        let response: (value: SignInResponse, offset: ClockOffset) =
            try await client.response(path, json: body)
        return SignedIn(
            issued: try Self.issued(response.value.token, requestedAt: start, offset: response.offset),
            user: response.value.user
        )
    }

    /// Reads the lifetime from the token itself.
    private static func issued(
        _ text: String,
        requestedAt start: ClockReading,
        offset: ClockOffset
    ) throws(AuthSessionError) -> IssuedTokens {
        let token = try ReceivedToken.access(text)
        // If the token is not a JWT or has no dates, it is refreshed only after the server refuses it.
        let lifetime = (try? UnverifiedJWT(text).claims)
            .map { TokenLifetime(claims: $0, from: start.date, offset: offset) }
        return IssuedTokens(
            tokens: TokenSet(
                accessToken: token,
                lifetime: lifetime ?? TokenLifetime(expiresIn: nil, from: start.date)
            ),
            requestedAt: start
        )
    }

    private struct SignInBody: Encodable {
        let identity_token: String
        let nonce: String
        let userIdentifier: String?
        let email: String?
        let name: String?
    }

    private struct RedeemBody: Encodable {
        let code: String
        let code_verifier: String
        let nonce: String
    }

    private struct SignInResponse: Decodable {
        let token: String
        /// The user; nil if it can't be read.
        ///
        /// The next validation asks again.
        let user: SessionUser?

        private enum Member: String, CodingKey {
            case token
            case user
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            token = try members.decode(String.self, forKey: .token)
            user = members.readable(.user, as: ReceivedUser.self)?.user
        }
    }

    private struct TokenResponseBody: Decodable {
        let token: String
    }

    private struct UserResponse: Decodable {
        let user: ReceivedUser
    }
}
