import AuthCore

/// A provider's metadata, as far as this library uses and checks it.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata),
/// [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
public struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, exactly as requested.
    public let issuer: Issuer
    /// The endpoint at which the user signs in.
    ///
    /// Wire: `authorization_endpoint`.
    public let authorizationEndpoint: EndpointURL
    /// The endpoint that exchanges codes and refresh tokens for tokens.
    ///
    /// Wire: `token_endpoint`.
    public let tokenEndpoint: EndpointURL
    /// The URL of the provider's signing keys.
    ///
    /// Wire: `jwks_uri`.
    public let keySetURL: EndpointURL
    /// The optional endpoints of the provider.
    public internal(set) var optional: OptionalEndpoints
    /// The capabilities that the provider declares.
    public internal(set) var abilities: ProviderAbilities
}

/// The endpoints that a provider may have.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
public struct OptionalEndpoints: Sendable, Hashable {
    /// The endpoint that returns claims about the user.
    ///
    /// Wire: `userinfo_endpoint`.
    public var userInfo: EndpointURL?
    /// The endpoint that revokes tokens.
    ///
    /// Wire: `revocation_endpoint`. [RFC 7009, 2](https://www.rfc-editor.org/rfc/rfc7009#section-2).
    public var revocation: EndpointURL?
    /// The endpoint that ends the user's session at the provider.
    ///
    /// Wire: `end_session_endpoint`.
    /// [OpenID Connect RP-Initiated Logout 1.0, 2.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
    public var endSession: EndpointURL?
    /// The endpoint that starts a sign-in on another device.
    ///
    /// Wire: `device_authorization_endpoint`. [RFC 8628, 4](https://www.rfc-editor.org/rfc/rfc8628#section-4).
    public var deviceAuthorization: EndpointURL?
    /// The endpoint that accepts pushed authorization requests.
    ///
    /// Wire: `pushed_authorization_request_endpoint`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public var pushedAuthorizationRequest: EndpointURL?
    /// The endpoint that registers clients.
    ///
    /// Wire: `registration_endpoint`. [RFC 7591, 3](https://www.rfc-editor.org/rfc/rfc7591#section-3).
    public var registration: EndpointURL?

    init() {}
}

/// The capabilities that a provider declares; a list is nil if the provider omits it.
public struct ProviderAbilities: Sendable, Hashable {
    /// Whether the provider's authorization responses contain its issuer.
    ///
    /// If true, a response with a code but without an issuer is refused.
    ///
    /// Wire: `authorization_response_iss_parameter_supported`.
    /// [RFC 9207, 3](https://www.rfc-editor.org/rfc/rfc9207#section-3).
    public var sendsIssuer = false
    /// Whether the provider accepts only pushed authorization requests.
    ///
    /// Wire: `require_pushed_authorization_requests`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public var requiresPushedAuthorizationRequests = false
    /// The algorithms that the provider may sign ID tokens with.
    ///
    /// Wire: `id_token_signing_alg_values_supported`.
    public var idTokenAlgorithms: [String]?
    /// The algorithms that the provider may sign userinfo responses with.
    ///
    /// Wire: `userinfo_signing_alg_values_supported`.
    public var userInfoAlgorithms: [String]?
    /// The client authentication methods at the token endpoint.
    ///
    /// Wire: `token_endpoint_auth_methods_supported`.
    public var clientAuthenticationMethods: [String]?
    /// The client authentication methods at the revocation endpoint; if nil, the token endpoint's apply.
    ///
    /// Wire: `revocation_endpoint_auth_methods_supported`.
    /// [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
    public var revocationAuthenticationMethods: [String]?
    /// The scopes that the provider supports.
    ///
    /// Wire: `scopes_supported`.
    public var scopes: [String]?
    /// The algorithms that DPoP proofs may be signed with.
    ///
    /// Wire: `dpop_signing_alg_values_supported`. [RFC 9449, 5.1](https://www.rfc-editor.org/rfc/rfc9449#section-5.1).
    public var proofAlgorithms: [String]?

    init() {}
}
