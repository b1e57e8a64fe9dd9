// SPDX-License-Identifier: Apache-2.0

public import APIClient

/// Authorization servers that are used as OAuth 2.0 alone, without OpenID Connect.
///
/// No ID token is used, so nothing but TLS proves whose tokens they are. The user comes from an endpoint. Everything else
/// is as at an OpenID provider: PKCE, state, the device flow, refresh, revocation, DPoP.
/// [RFC 6749](https://www.rfc-editor.org/rfc/rfc6749), [OAuth 2.1](https://datatracker.ietf.org/doc/draft-ietf-oauth-v2-1/).
extension OpenIDProvider {
    /// Creates the provider for a server without OpenID Connect.
    ///
    /// If `userEndpoint` is nil, the metadata's userinfo endpoint describes the user, if the tokens are for no other API.
    public static func oauth(
        metadata: ProviderMetadata,
        client: OpenIDClient,
        userEndpoint: OAuthUserEndpoint? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) -> OpenIDProvider {
        var metadata = metadata
        metadata.issuesIDTokens = false
        metadata.jwksURI = nil
        // A token for an API of one's own is not one for the server's userinfo endpoint.
        let own = metadata.issuer.profile.resources.isEmpty ? metadata.userInfoEndpoint : nil
        let userEndpoint = userEndpoint ?? own.map { OAuthUserEndpoint(url: $0) }
        return OpenIDProvider(metadata: metadata, client: client, settings: settings, userEndpoint: userEndpoint)
    }

    /// Creates GitHub, which publishes no metadata.
    ///
    /// The client is the OAuth app or the GitHub App: the browser flow needs its secret, the device flow doesn't. The
    /// server is a GitHub Enterprise server, whose API is below `/api/v3`; nil for `https://github.com`.
    ///
    /// - Throws: `BaseURLError` if the address is not an https URL, or a loopback one.
    ///
    /// [Authorizing OAuth apps](https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps).
    public static func github(
        client: OpenIDClient,
        server: BaseURL? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) throws -> OpenIDProvider {
        .oauth(metadata: try .github(server: server), client: client, settings: settings)
    }
}
