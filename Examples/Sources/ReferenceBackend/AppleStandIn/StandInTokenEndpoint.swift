internal import Crypto
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
    let codes: AuthorizationCodes
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
            guard let fields = try await StandInRoutes.form(request) else { return try Self.refuse("invalid_request") }
            return try await exchange(fields, issuer: origin(context))
        }
    }

    private func exchange(_ fields: FormFields, issuer: String) async throws -> Response {
        guard let grantType = fields["grant_type"] else { return try Self.refuse("invalid_request") }
        guard grantType == "authorization_code" else { return try Self.refuse("unsupported_grant_type") }
        guard let code = fields["code"], let client = fields["client_id"], let redirect = fields["redirect_uri"],
            let verifier = fields["code_verifier"]
        else { return try Self.refuse("invalid_request") }
        guard let grant = codes.redeem(code), grant.request.clientID == client,
            grant.request.redirectURI == redirect, Self.verifier(verifier, fits: grant.request.codeChallenge)
        else { return try Self.refuse("invalid_grant") }
        let issued = Int(now().timeIntervalSince1970)
        let idToken = try await key.sign(
            StandInClaims(
                iss: issuer,
                sub: AppleStandIn.subject(email: grant.email),
                aud: client,
                iat: issued,
                exp: issued + Self.lifetime,
                nonce: grant.request.nonce,
                email: grant.email
            )
        )
        let accessToken = Data(randomByteCount: 32).base64URL
        await onIssue?(IssuedToken(.identityToken, idToken))
        await onIssue?(IssuedToken(.standInAccessToken, accessToken))
        return try JSONResponse.make(
            Answer(access_token: accessToken, expires_in: Self.lifetime, id_token: idToken)
        )
    }

    /// Returns whether a verifier matches a challenge; compares in constant time.
    ///
    /// [RFC 7636, 4.6](https://www.rfc-editor.org/rfc/rfc7636#section-4.6).
    private static func verifier(_ verifier: String, fits challenge: String) -> Bool {
        guard (43...128).contains(verifier.utf8.count) else { return false }
        return ConstantTime.equal(Data(SHA256.hash(data: Data(verifier.utf8))).base64URL, challenge)
    }

    private static func refuse(_ error: String) throws -> Response {
        try JSONResponse.make(Refusal(error: error), status: .badRequest)
    }
}
