// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The token endpoint, which exchanges a code for an identity token.
///
/// [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3).
struct StandInTokenEndpoint: Sendable {
    let key: StandInKey
    let clients: StandInClients
    let codes: OneTimeValues<StandInGrant>
    let now: @Sendable () -> Date
    let onIssue: (@Sendable (IssuedToken) async -> Void)?

    private static let lifetime = 600

    private struct Answer: Encodable {
        let access_token: String
        let token_type = "Bearer"
        let expires_in: Int
        let id_token: String
    }

    /// An error response ([RFC 6749, 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)).
    private struct Refusal: Encodable {
        let error: String
    }

    /// Adds the route.
    func add(to router: Router<BackendContext>, origin: @escaping @Sendable (BackendContext) -> String) {
        router.post("/auth/token") { request, context in
            guard let fields = try await FormFields.form(of: request) else { return try Self.refuse("invalid_request") }
            return try await exchange(fields, issuer: origin(context))
        }
    }

    private func exchange(_ fields: FormFields, issuer: String) async throws -> Response {
        guard let grantType = fields["grant_type"] else { return try Self.refuse("invalid_request") }
        guard grantType == "authorization_code" else { return try Self.refuse("unsupported_grant_type") }
        guard let code = fields["code"], let client = fields["client_id"] else {
            return try Self.refuse("invalid_request")
        }
        // Before the code is looked up: a client that proves nothing learns nothing about codes.
        guard clients.nativeApps.contains(client) || clients.accepts(fields["client_secret"] ?? "", of: client) else {
            return try Self.refuse("invalid_client")
        }
        guard let grant = codes.take(code), grant.request.clientID == client,
            grant.request.redirectURI == fields["redirect_uri"], Self.isProven(grant.request, fields)
        else { return try Self.refuse("invalid_grant") }
        let issued = Int(now().timeIntervalSince1970)
        var claims = StandInClaims(
            iss: issuer,
            sub: AppleStandIn.subject(email: grant.email),
            aud: client,
            iat: issued,
            exp: issued + Self.lifetime,
            nonce: grant.request.nonce,
            email: grant.request.hasEmail ? grant.email : nil
        )
        if grant.request.hasEmail { claims.email_verified = true }
        let idToken = try key.sign(claims)
        let accessToken = Data(randomByteCount: 32).base64URL
        await onIssue?(IssuedToken(.identityToken, idToken))
        await onIssue?(IssuedToken(.standInAccessToken, accessToken))
        return try JSONResponse.make(
            Answer(access_token: accessToken, expires_in: Self.lifetime, id_token: idToken)
        )
    }

    /// Returns whether a native app has the verifier of its request; a web client has proven itself by its secret.
    private static func isProven(_ request: AuthorizationRequest, _ fields: FormFields) -> Bool {
        guard case .native(let challenge) = request.kind else { return true }
        return CodeChallenge.verifier(fields["code_verifier"] ?? "", fits: challenge)
    }

    private static func refuse(_ error: String) throws -> Response {
        try JSONResponse.make(Refusal(error: error), status: .badRequest)
    }
}
