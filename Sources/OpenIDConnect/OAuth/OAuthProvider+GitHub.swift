// SPDX-License-Identifier: Apache-2.0

public import APIClient

extension OAuthProvider {
    /// Creates GitHub, which publishes no metadata.
    ///
    /// - Parameters:
    ///   - client: The OAuth app or the GitHub App. The browser flow needs its secret, the device flow doesn't.
    ///   - server: The address of GitHub, or of a GitHub Enterprise server, whose API is below `/api/v3`.
    ///   - settings: The settings of the requests.
    /// - Returns: The provider.
    /// - Throws: `BaseURLError` if the address is not an https URL, or a loopback one.
    ///
    /// [Authorizing OAuth apps](https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps).
    public static func github(
        client: OpenIDClient,
        server: BaseURL? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) throws -> OAuthProvider {
        OAuthProvider(metadata: try .github(server: server), client: client, settings: settings)
    }
}

extension ProviderMetadata {
    /// Returns GitHub's endpoints, and the issuer that its authorization responses name (RFC 9207).
    ///
    /// - Parameter server: The address of GitHub, or of a GitHub Enterprise server, whose API is below `/api/v3`.
    /// - Returns: The metadata. The user is described at the userinfo endpoint.
    /// - Throws: `BaseURLError` if the address is not an https URL, or a loopback one.
    public static func github(server: BaseURL? = nil) throws -> ProviderMetadata {
        let host = try server ?? BaseURL("https://github.com")
        let issuer = try Issuer("\(host)/login/oauth", profile: .github)
        var metadata = try ProviderMetadata.endpoints(
            of: issuer,
            authorizationEndpoint: "\(host)/login/oauth/authorize",
            tokenEndpoint: "\(host)/login/oauth/access_token",
            deviceAuthorizationEndpoint: "\(host)/login/device/code"
        )
        let api = host.host == "github.com" ? "https://api.github.com" : "\(host)/api/v3"
        metadata.userInfoEndpoint = try EndpointURL("\(api)/user", of: issuer)
        return metadata
    }
}
