// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore

extension ProviderMetadata {
    /// Describes a server that publishes no metadata; the issuer is its address if it has none.
    ///
    /// Throws `BaseURLError` if an endpoint is not an https URL, or a loopback one of a loopback issuer.
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
        let members = [
            "issuer": issuer.identifier, "authorization_endpoint": authorizationEndpoint,
            "token_endpoint": tokenEndpoint, "device_authorization_endpoint": deviceAuthorizationEndpoint,
            "revocation_endpoint": revocationEndpoint,
        ]
        metadata.document = members.compactMapValues { $0.map { .string($0) } }
        metadata.deviceAuthorizationEndpoint = try deviceAuthorizationEndpoint.map { try EndpointURL($0, of: issuer) }
        metadata.revocationEndpoint = try revocationEndpoint.map { try EndpointURL($0, of: issuer) }
        return metadata
    }

    /// Finds the first authorization server of an API, and fetches its metadata.
    ///
    /// Every access token is then for this API: `resource` is sent in each request, as the API writes it. The scopes of
    /// the API's challenge, or else those of its document, are requested unless the app names others.
    ///
    /// Only the API vouches for the server. A sign-in needs a redirect URI of the server's own, unless its responses
    /// contain `iss`: ``withDistinctRedirect(port:)``. To sign in at a server that the app knows, pass its issuer to
    /// ``discover(authorizationServer:settings:)``, with the API in `resources` of its profile.
    ///
    /// Throws ``OpenIDError``; `BaseURLError` if the API's URL is not an https URL, or a loopback one.
    public static func discover(
        resource: String,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        try await discover(try await ProtectedResource.discover(resource, settings: settings), settings: settings)
    }

    /// Fetches the metadata of an API's first authorization server, as ``discover(resource:settings:)`` does.
    public static func discover(
        _ api: ProtectedResource,
        settings: ProviderSettings = ProviderSettings()
    ) async throws -> ProviderMetadata {
        var profile = api.authorizationServers[0].profile
        profile.resources = [api.resource]
        profile.scope = api.challengedScope ?? Scope(api.scopesSupported?.joined(separator: " ") ?? "")
        let issuer = api.authorizationServers[0].with(profile)
        return try await discover(authorizationServer: issuer, settings: settings)
    }

    /// Returns GitHub's endpoints, and the issuer that its authorization responses name (RFC 9207).
    ///
    /// Nil is `https://github.com`; a GitHub Enterprise server has its API below `/api/v3`. Throws `BaseURLError` if
    /// the address is not an https URL, or a loopback one.
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
        metadata.document["userinfo_endpoint"] = .string("\(api)/user")
        return metadata
    }
}

extension Issuer {
    /// The issuer of a server about which nothing is known: no scope is usual there.
    var withoutOpenIDScopes: Issuer {
        guard profile == .standard else { return self }
        var plain = profile
        plain.scope = ""
        return with(plain)
    }
}
