import AuthCore

/// What a provider says of itself, as far as it was checked here.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata),
/// [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
public struct ProviderMetadata: Sendable, Hashable {
    /// The provider; the same as the one asked for.
    public let issuer: Issuer
    /// Where the person is sent.
    ///
    /// Wire: `authorization_endpoint`.
    public let authorizationEndpoint: EndpointURL
    /// Where codes become tokens.
    ///
    /// Wire: `token_endpoint`.
    public let tokenEndpoint: EndpointURL
    /// Where the keys are that the provider signs with.
    ///
    /// Wire: `jwks_uri`.
    public let keySetURL: EndpointURL
    /// What the provider offers beyond that.
    public internal(set) var optional: OptionalEndpoints
    /// What the provider can do, in its own words; nil where it says nothing of it.
    public internal(set) var abilities: ProviderAbilities
}

/// The endpoints that a provider may have.
///
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
public struct OptionalEndpoints: Sendable, Hashable {
    /// Where the claims about the person are.
    ///
    /// Wire: `userinfo_endpoint`.
    public var userInfo: EndpointURL?
    /// Where tokens are taken back.
    ///
    /// Wire: `revocation_endpoint`. [RFC 7009, 2](https://www.rfc-editor.org/rfc/rfc7009#section-2).
    public var revocation: EndpointURL?
    /// Where the person is signed out at the provider.
    ///
    /// Wire: `end_session_endpoint`.
    /// [OpenID Connect RP-Initiated Logout 1.0, 2.1](https://openid.net/specs/openid-connect-rpinitiated-1_0.html).
    public var endSession: EndpointURL?
    /// Where a device without a browser begins.
    ///
    /// Wire: `device_authorization_endpoint`. [RFC 8628, 4](https://www.rfc-editor.org/rfc/rfc8628#section-4).
    public var deviceAuthorization: EndpointURL?
    /// Where a request is put down before the browser goes.
    ///
    /// Wire: `pushed_authorization_request_endpoint`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public var pushedAuthorizationRequest: EndpointURL?
    /// Where a client makes itself known.
    ///
    /// Wire: `registration_endpoint`. [RFC 7591, 3](https://www.rfc-editor.org/rfc/rfc7591#section-3).
    public var registration: EndpointURL?

    init() {}
}

/// What a provider says that it can do.
public struct ProviderAbilities: Sendable, Hashable {
    /// Whether its answers through the browser name it.
    ///
    /// Then one that does not is refused.
    ///
    /// Wire: `authorization_response_iss_parameter_supported`.
    /// [RFC 9207, 3](https://www.rfc-editor.org/rfc/rfc9207#section-3).
    public var sendsIssuer = false
    /// Whether it takes pushed requests alone.
    ///
    /// Wire: `require_pushed_authorization_requests`. [RFC 9126, 5](https://www.rfc-editor.org/rfc/rfc9126#section-5).
    public var requiresPushedAuthorizationRequests = false
    /// What its ID tokens may be signed with.
    ///
    /// Wire: `id_token_signing_alg_values_supported`.
    public var idTokenAlgorithms: [String]?
    /// What its userinfo answers may be signed with, where they are.
    ///
    /// Wire: `userinfo_signing_alg_values_supported`.
    public var userInfoAlgorithms: [String]?
    /// How clients may authenticate.
    ///
    /// Wire: `token_endpoint_auth_methods_supported`.
    public var clientAuthenticationMethods: [String]?
    /// How clients may authenticate where tokens are taken back; as at the token endpoint where nothing is said.
    ///
    /// Wire: `revocation_endpoint_auth_methods_supported`. [RFC 8414, 2](https://www.rfc-editor.org/rfc/rfc8414#section-2).
    public var revocationAuthenticationMethods: [String]?
    /// Which scopes it knows.
    ///
    /// Wire: `scopes_supported`.
    public var scopes: [String]?
    /// What proofs of possession may be signed with.
    ///
    /// Wire: `dpop_signing_alg_values_supported`. [RFC 9449, 5.1](https://www.rfc-editor.org/rfc/rfc9449#section-5.1).
    public var proofAlgorithms: [String]?

    init() {}
}
