// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging

/// The sign-in with Apple, from a request to the account that it proves.
struct AppleSignIn: Sendable {
    let verifier: IdentityTokenVerifier
    let accounts: AccountStore
    let limiter: SignInLimiter
    let clients: [String: AccountRole]
    let acceptsUserIdentifier: Bool
    let logger: Logger

    /// The body of a request.
    ///
    /// A client's `email` is not decoded: only Apple's token proves the address.
    private struct Body: Decodable {
        let identityToken: String?
        let nonce: String?
        let userIdentifier: String?
        let name: String?

        enum CodingKeys: String, CodingKey {
            case identityToken = "identity_token"
            case nonce
            case userIdentifier
            case name
        }
    }

    /// Returns the account that a request proves, created at the first sign-in.
    ///
    /// - Throws: ``APIFailure`` (`rate_limited`, `invalid_request`, `invalid_identity_token`, `nonce_mismatch`,
    ///   `role_conflict`, `identity_provider_unavailable`).
    func account(for request: Request, from network: ClientNetwork) async throws -> Account {
        try limiter.countAttempt(from: network)
        let body = try await JSONRequest.decode(Body.self, from: request)
        if let name = body.name { try JSONRequest.check(name, isBetween: 0, and: AccountName.longest, member: "name") }
        let name = body.name.flatMap { AccountName($0) }
        guard let token = body.identityToken else { return try await legacyAccount(body, name: name) }
        guard let nonce = body.nonce else { throw APIFailure.invalidRequest("The member 'nonce' is missing.") }
        let identity = try await verifier.verify(token, rawNonce: nonce)
        guard let role = clients[identity.audience] else { throw IdentityTokenVerifier.refused }
        return try await accounts.account(for: identity, name: name, role: role)
    }

    /// Returns the account of an older client's identifier, which proves nothing (step 5 of the contract).
    private func legacyAccount(_ body: Body, name: AccountName?) async throws -> Account {
        guard acceptsUserIdentifier, let identifier = body.userIdentifier else {
            throw APIFailure.invalidRequest("The member 'identity_token' is missing.")
        }
        try JSONRequest.check(identifier, isBetween: 1, and: 255, member: "userIdentifier")
        logger.warning("a sign-in by userIdentifier alone was accepted; it proves nothing")
        return try await accounts.account(
            unprovenIdentifier: identifier,
            issuers: verifier.accountIssuers,
            name: name
        )
    }
}
