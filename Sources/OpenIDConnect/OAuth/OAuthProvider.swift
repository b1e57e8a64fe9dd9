// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// An OAuth 2.0 authorization server without OpenID Connect, and the app's client at it.
///
/// It issues no ID token that is used, so nothing but TLS proves whose tokens they are. The user comes from an endpoint.
/// Everything else is as with ``OpenIDProvider``: PKCE, state, the device flow, refresh, revocation, DPoP.
/// [RFC 6749](https://www.rfc-editor.org/rfc/rfc6749), [OAuth 2.1](https://datatracker.ietf.org/doc/draft-ietf-oauth-v2-1/).
public struct OAuthProvider: Sendable {
    /// The shared mechanism, without signing keys.
    package let server: OpenIDProvider

    /// The server's metadata, without signing keys.
    public var metadata: ProviderMetadata { server.metadata }
    /// The app as a client of the server.
    public var client: OpenIDClient { server.client }
    /// The endpoint that describes the user; nil if the user stays unnamed.
    public var userEndpoint: OAuthUserEndpoint? { server.userEndpoint }

    /// Creates a provider from a server's metadata.
    ///
    /// - Parameters:
    ///   - metadata: The server's metadata.
    ///   - client: The app as a client of the server.
    ///   - userEndpoint: The endpoint that describes the user; nil for the metadata's userinfo endpoint, if the tokens
    ///     are for no other API.
    ///   - settings: The settings of the requests.
    public init(
        metadata: ProviderMetadata,
        client: OpenIDClient,
        userEndpoint: OAuthUserEndpoint? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) {
        var metadata = metadata
        metadata.issuesIDTokens = false
        metadata.jwksURI = nil
        // A token for an API of one's own is not one for the server's userinfo endpoint.
        let own = metadata.issuer.profile.resources.isEmpty ? metadata.userInfoEndpoint : nil
        let userEndpoint = userEndpoint ?? own.map { OAuthUserEndpoint(url: $0) }
        server = OpenIDProvider(metadata: metadata, client: client, settings: settings, userEndpoint: userEndpoint)
    }

    /// Creates a provider from the metadata that the server publishes.
    ///
    /// - Parameters:
    ///   - issuer: The server's issuer. Without a profile, no scope is requested unless the app names one.
    ///   - client: The app as a client of the server.
    ///   - userEndpoint: The endpoint that describes the user; nil for the metadata's userinfo endpoint, if any.
    ///   - settings: The settings of the requests.
    /// - Returns: The provider.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    ///
    /// [RFC 8414, 3](https://www.rfc-editor.org/rfc/rfc8414#section-3).
    public static func discover(
        issuer: Issuer,
        client: OpenIDClient,
        userEndpoint: OAuthUserEndpoint? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> OAuthProvider {
        let metadata = try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings)
        return OAuthProvider(metadata: metadata, client: client, userEndpoint: userEndpoint, settings: settings)
    }
}

extension ProviderMetadata {
    /// Fetches the metadata of an OAuth 2.0 authorization server, for an ``OAuthProvider``.
    ///
    /// - Parameters:
    ///   - issuer: The server's issuer.
    ///   - settings: The settings of the requests; a timeout above 15 seconds is reduced to 15 seconds.
    /// - Returns: The metadata. Its issuer is exactly the requested one.
    /// - Throws: ``DiscoveryError``; `CancellationError`.
    ///
    /// Wire: `/.well-known/oauth-authorization-server`. [RFC 8414, 3](https://www.rfc-editor.org/rfc/rfc8414#section-3).
    public static func discover(
        authorizationServer issuer: Issuer,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        try await discoverAuthorizationServer(issuer: issuer.withoutOpenIDScopes, settings: settings)
    }

    /// Describes a server that publishes no metadata.
    ///
    /// - Parameters:
    ///   - issuer: The server's issuer, or its address if it has none. Authorization responses must not name another.
    ///   - authorizationEndpoint: The endpoint at which the user signs in.
    ///   - tokenEndpoint: The endpoint that exchanges codes and refresh tokens for tokens.
    ///   - deviceAuthorizationEndpoint: The endpoint that starts a sign-in on another device, if any.
    ///   - revocationEndpoint: The endpoint that revokes tokens, if any.
    /// - Returns: The metadata.
    /// - Throws: `BaseURLError` if an endpoint is not an https URL, or a loopback one of a loopback issuer.
    public static func endpoints(
        of issuer: Issuer,
        authorizationEndpoint: String,
        tokenEndpoint: String,
        deviceAuthorizationEndpoint: String? = nil,
        revocationEndpoint: String? = nil
    ) throws -> ProviderMetadata {
        let issuer = issuer.withoutOpenIDScopes
        var metadata = ProviderMetadata(
            issuer: issuer,
            authorizationEndpoint: try EndpointURL(authorizationEndpoint, of: issuer),
            tokenEndpoint: try EndpointURL(tokenEndpoint, of: issuer)
        )
        metadata.issuesIDTokens = false
        metadata.deviceAuthorizationEndpoint = try deviceAuthorizationEndpoint.map { try EndpointURL($0, of: issuer) }
        metadata.revocationEndpoint = try revocationEndpoint.map { try EndpointURL($0, of: issuer) }
        return metadata
    }
}

extension Issuer {
    /// The issuer of a server about which nothing is known: no scope is usual there.
    fileprivate var withoutOpenIDScopes: Issuer {
        guard profile == .standard else { return self }
        var plain = profile
        plain.scope = ""
        return with(plain)
    }
}
