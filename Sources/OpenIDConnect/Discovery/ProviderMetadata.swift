// SPDX-License-Identifier: Apache-2.0

package import AuthCore

/// A provider's metadata, as far as this library uses and checks it.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata),
/// [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
public struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, exactly as requested; for a tenant at Microsoft, with the tenant's ID.
    public internal(set) var issuer: Issuer
    /// The endpoint at which the user signs in.
    ///
    /// Wire: `authorization_endpoint`.
    public let authorizationEndpoint: EndpointURL
    /// The endpoint that exchanges codes and refresh tokens for tokens.
    ///
    /// Wire: `token_endpoint`.
    public let tokenEndpoint: EndpointURL
    /// The URL of the provider's signing keys; nil if it is used without OpenID Connect.
    ///
    /// Wire: `jwks_uri`.
    public internal(set) var jwksURI: EndpointURL?
    /// The endpoint that returns claims about the user; nil if the provider has none.
    ///
    /// Wire: `userinfo_endpoint`.
    public internal(set) var userInfoEndpoint: EndpointURL?
    /// The endpoint that revokes tokens; nil if the provider has none.
    ///
    /// Wire: `revocation_endpoint`. [RFC 7009, 2](https://www.rfc-editor.org/rfc/rfc7009#section-2).
    public internal(set) var revocationEndpoint: EndpointURL?
    /// The endpoint that ends the user's session at the provider; nil if the provider has none.
    ///
    /// Wire: `end_session_endpoint`.
    /// [OpenID Connect RP-Initiated Logout 1.0, 2.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
    public internal(set) var endSessionEndpoint: EndpointURL?
    /// The endpoint that starts a sign-in on another device; nil if the provider has none.
    ///
    /// Wire: `device_authorization_endpoint`. [RFC 8628, 4](https://www.rfc-editor.org/rfc/rfc8628#section-4).
    public internal(set) var deviceAuthorizationEndpoint: EndpointURL?
    /// The endpoint that accepts pushed authorization requests; nil if the provider has none.
    ///
    /// Wire: `pushed_authorization_request_endpoint`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public internal(set) var pushedAuthorizationRequestEndpoint: EndpointURL?
    /// The endpoint that registers clients; nil if the provider has none.
    ///
    /// Wire: `registration_endpoint`. [RFC 7591, 3](https://www.rfc-editor.org/rfc/rfc7591#section-3).
    public internal(set) var registrationEndpoint: EndpointURL?

    /// Whether the provider's authorization responses contain its issuer.
    ///
    /// If true, a response with a code but without an issuer is refused.
    ///
    /// Wire: `authorization_response_iss_parameter_supported`.
    /// [RFC 9207, 3](https://www.rfc-editor.org/rfc/rfc9207#section-3).
    public internal(set) var authorizationResponseIssParameterSupported = false
    /// Whether the provider accepts only pushed authorization requests.
    ///
    /// Wire: `require_pushed_authorization_requests`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public internal(set) var requirePushedAuthorizationRequests = false
    /// The algorithms that the provider may sign ID tokens with; nil if the provider names none.
    ///
    /// Wire: `id_token_signing_alg_values_supported`.
    public internal(set) var idTokenSigningAlgValuesSupported: [String]?
    /// The algorithms that the provider may sign userinfo responses with; nil if the provider names none.
    ///
    /// Wire: `userinfo_signing_alg_values_supported`.
    public internal(set) var userInfoSigningAlgValuesSupported: [String]?
    /// The client authentication methods at the token endpoint; nil if the provider names none.
    ///
    /// Wire: `token_endpoint_auth_methods_supported`.
    public internal(set) var tokenEndpointAuthMethodsSupported: [String]?
    /// The client authentication methods at the revocation endpoint; if nil, the token endpoint's apply.
    ///
    /// Wire: `revocation_endpoint_auth_methods_supported`.
    /// [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
    public internal(set) var revocationEndpointAuthMethodsSupported: [String]?
    /// The scopes that the provider supports; nil if the provider names none.
    ///
    /// Wire: `scopes_supported`.
    public internal(set) var scopesSupported: [String]?
    /// The algorithms that DPoP proofs may be signed with; nil if the provider names none.
    ///
    /// Wire: `dpop_signing_alg_values_supported`. [RFC 9449, 5.1](https://www.rfc-editor.org/rfc/rfc9449#section-5.1).
    public internal(set) var dpopSigningAlgValuesSupported: [String]?

    init(issuer: Issuer, authorizationEndpoint: EndpointURL, tokenEndpoint: EndpointURL) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
    }

    /// The members of the discovery document that are read, as received, for reading them again without a request.
    package internal(set) var document: [String: JSONValue] = [:]

    /// Whether the provider is used as an OpenID provider, whose ID tokens name the user.
    ///
    /// False for a server that is used without OpenID Connect. Metadata without keys don't make it false: their ID tokens
    /// can't be verified.
    package internal(set) var issuesIDTokens = true
}
