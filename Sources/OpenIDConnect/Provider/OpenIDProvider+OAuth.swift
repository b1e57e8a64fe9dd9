// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore

/// Authorization servers that are used as OAuth 2.0 alone, without OpenID Connect.
///
/// No ID token is used, so nothing but TLS proves whose tokens they are. The user comes from an endpoint. Everything
/// else is as at an OpenID provider: PKCE, state, the device flow, refresh, revocation, DPoP.
extension OpenIDProvider {
    /// Creates the provider for a server without OpenID Connect ([RFC 6749](https://www.rfc-editor.org/rfc/rfc6749)).
    ///
    /// If `userEndpoint` is nil, the metadata's userinfo endpoint describes the user, if the tokens are for no other
    /// API.
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

    /// Creates GitHub, which publishes no metadata; a GitHub Enterprise server has its API below `/api/v3`.
    ///
    /// The client is the OAuth app or the GitHub App: the browser flow needs its secret, the device flow doesn't.
    /// Throws `BaseURLError` if the address is not an https URL, or a loopback one.
    public static func github(
        client: OpenIDClient,
        server: BaseURL? = nil,
        settings: ProviderSettings = ProviderSettings()
    ) throws -> OpenIDProvider {
        .oauth(metadata: try .github(server: server), client: client, settings: settings)
    }
}

/// The endpoint of an OAuth 2.0 server that describes the user; of the names of a member, the first present one counts.
public struct OAuthUserEndpoint: Sendable, Hashable {
    /// The endpoint's URL, which gets the access token.
    public let url: EndpointURL
    /// The members that may hold the server's identifier of the user: a string or a whole number.
    public var id = ["sub", "id"]
    /// The members that may hold the user's name.
    public var name = ["name", "login", "username", "preferred_username"]
    /// The members that may hold the email address.
    public var email = ["email"]

    /// Creates a description with the usual names.
    public init(url: EndpointURL) {
        self.url = url
    }

    /// Returns a response's members, and the same values under the names of OpenID Connect.
    func claims(in members: [String: JSONValue]) -> [String: JSONValue] {
        var claims = members
        claims["sub"] = text(id, in: members).map { .string($0) }
        claims["name"] = text(name, in: members).map { .string($0) }
        claims["email"] = text(email, in: members).map { .string($0) }
        return claims
    }

    private func text(_ names: [String], in members: [String: JSONValue]) -> String? {
        names.lazy.compactMap { name in
            switch members[name] {
            case .string(let text)? where !text.isEmpty: text
            case .integer(let number)?: "\(number)"
            default: nil
            }
        }.first
    }
}
