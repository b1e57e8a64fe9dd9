// SPDX-License-Identifier: Apache-2.0

/// Apple, as the backend reaches it to carry out a sign-in in a browser.
struct AppleRedirectProvider: Sendable {
    let registration: AppleRegistration
    let issuer: IdentityTokenIssuer
    let tokens: AppleTokenClient
    /// The verifier, which accepts this issuer and the Services IDs alone.
    let verifier: IdentityTokenVerifier

    /// Returns the address of Apple's page for a sign-in.
    ///
    /// - Parameters:
    ///   - servicesID: The client.
    ///   - state: The state. Secret.
    ///   - hashedNonce: The nonce for the identity token.
    /// - Returns: The parameters of the query at the issuer's authorization endpoint.
    func parameters(servicesID: String, state: String, hashedNonce: String) -> [(String, String?)] {
        [
            ("client_id", servicesID),
            ("redirect_uri", registration.returnURL),
            ("response_type", "code"),
            // Apple requires it where name or e-mail are in the scope.
            ("response_mode", "form_post"),
            ("scope", "name email"),
            ("state", state),
            ("nonce", hashedNonce),
        ]
    }

    /// Redeems Apple's code and verifies the identity token.
    ///
    /// - Throws: ``APIFailure`` (`invalid_identity_token`, `nonce_mismatch`, `identity_provider_unavailable`);
    ///   ``AppleTokenClient/Failure``.
    func identity(for code: String, of servicesID: String, hashedNonce: String) async throws -> VerifiedIdentity {
        let token = try await tokens.identityToken(for: code, of: servicesID, redirectURI: registration.returnURL)
        let identity = try await verifier.verify(token, hashedNonce: hashedNonce)
        guard identity.audience == servicesID else { throw IdentityTokenVerifier.refused }
        return identity
    }
}
