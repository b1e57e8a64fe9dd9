// SPDX-License-Identifier: Apache-2.0

/// The stand-in's discovery document.
///
/// [OpenID Connect Discovery, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
struct ProviderMetadata: Encodable {
    let issuer: String
    let authorization_endpoint: String
    let token_endpoint: String
    let jwks_uri: String
    let response_types_supported = ["code"]
    let response_modes_supported = ["query", "form_post"]
    let grant_types_supported = ["authorization_code"]
    let subject_types_supported = ["public"]
    let id_token_signing_alg_values_supported = ["RS256"]
    let token_endpoint_auth_methods_supported = ["client_secret_post", "none"]
    let code_challenge_methods_supported = ["S256"]
    let scopes_supported = ["openid", "email", "name"]
    let claims_supported = ["iss", "sub", "aud", "exp", "iat", "nonce", "email"]
    let authorization_response_iss_parameter_supported = true

    init(issuer: String) {
        self.issuer = issuer
        authorization_endpoint = issuer + "/auth/authorize"
        token_endpoint = issuer + "/auth/token"
        jwks_uri = issuer + "/auth/keys"
    }
}

/// The stand-in's key set.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
struct KeySetBody: Encodable {
    struct Key: Encodable {
        let kty = "RSA"
        let use = "sig"
        let alg = "RS256"
        let kid: String
        let n: String
        let e: String
    }

    let keys: [Key]

    init(_ key: StandInKey) {
        keys = [Key(kid: key.id, n: key.modulus, e: key.exponent)]
    }
}
