// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A provider's metadata, as far as this library uses and checks it.
///
/// The properties have the names of the members on the wire. A value that the provider omits is nil.
/// [OpenID Connect Discovery 1.0, 3](https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata).
public struct ProviderMetadata: Sendable, Hashable {
    /// The issuer, exactly as requested; for a tenant at Microsoft, with the tenant's ID.
    public internal(set) var issuer: Issuer
    /// The endpoint at which the user signs in.
    public let authorizationEndpoint: EndpointURL
    /// The endpoint that exchanges codes and refresh tokens for tokens.
    public let tokenEndpoint: EndpointURL
    /// The URL of the provider's signing keys; nil if it is used without OpenID Connect.
    public internal(set) var jwksURI: EndpointURL?
    /// The endpoint that returns claims about the user.
    public internal(set) var userInfoEndpoint: EndpointURL?
    /// The endpoint that revokes tokens (RFC 7009).
    public internal(set) var revocationEndpoint: EndpointURL?
    /// The endpoint that ends the user's session at the provider (RP-Initiated Logout 1.0).
    public internal(set) var endSessionEndpoint: EndpointURL?
    /// The endpoint that starts a sign-in on another device (RFC 8628).
    public internal(set) var deviceAuthorizationEndpoint: EndpointURL?
    /// The endpoint that accepts pushed authorization requests (RFC 9126).
    public internal(set) var pushedAuthorizationRequestEndpoint: EndpointURL?
    /// The endpoint that registers clients (RFC 7591).
    public internal(set) var registrationEndpoint: EndpointURL?

    /// Whether authorization responses contain the issuer (RFC 9207, 3); a code without it is then refused.
    public internal(set) var authorizationResponseIssParameterSupported = false
    /// Whether the provider accepts only pushed authorization requests (RFC 9126, 5).
    public internal(set) var requirePushedAuthorizationRequests = false
    /// Whether a client ID may be the https URL of the client's metadata (Client ID Metadata Documents).
    public internal(set) var clientIDMetadataDocumentSupported = false
    /// The scopes that the provider supports.
    public internal(set) var scopesSupported: [String]?
    /// The algorithms that DPoP proofs may be signed with (RFC 9449, 5.1).
    public internal(set) var dpopSigningAlgValuesSupported: [String]?
    var idTokenSigningAlgValuesSupported: [String]?
    var userInfoSigningAlgValuesSupported: [String]?
    var tokenEndpointAuthMethodsSupported: [String]?
    /// The client authentication methods at the revocation endpoint; if nil, the token endpoint's apply.
    var revocationEndpointAuthMethodsSupported: [String]?

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

extension OpenIDClient {
    /// Creates a confidential client with an authentication method that the provider's metadata name.
    public static func confidential(id: String, secret: ClientSecret, at provider: ProviderMetadata) -> OpenIDClient {
        let offered = provider.tokenEndpointAuthMethodsSupported
        let usual = provider.issuer.profile.secretMethod
        let other: ClientAuthentication.Method = usual == .post ? .basic : .post
        // OpenID Connect Discovery, 3: if the list is missing, the default is client_secret_basic.
        let isOffered = offered.map { $0.contains(usual.rawValue) || !$0.contains(other.rawValue) } ?? true
        return .confidential(id: id, secret: secret, method: isOffered ? usual : other)
    }
}
