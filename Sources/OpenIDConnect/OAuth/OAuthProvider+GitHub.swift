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
        let host = try server ?? BaseURL("https://github.com")
        // Authorization responses name it (RFC 9207).
        let issuer = try Issuer("\(host)/login/oauth", profile: .github)
        let metadata = try ProviderMetadata.endpoints(
            of: issuer,
            authorizationEndpoint: "\(host)/login/oauth/authorize",
            tokenEndpoint: "\(host)/login/oauth/access_token",
            deviceAuthorizationEndpoint: "\(host)/login/device/code"
        )
        let api = host.host == "github.com" ? "https://api.github.com" : "\(host)/api/v3"
        let user = OAuthUserEndpoint(url: try EndpointURL("\(api)/user", of: issuer))
        return OAuthProvider(metadata: metadata, client: client, userEndpoint: user, settings: settings)
    }
}
