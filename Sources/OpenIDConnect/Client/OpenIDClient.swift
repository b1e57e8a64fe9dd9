// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An app as a client of a provider.
///
/// [RFC 6749, 2](https://www.rfc-editor.org/rfc/rfc6749#section-2).
public struct OpenIDClient: Sendable, Equatable {
    /// The client ID; not secret.
    ///
    /// Wire: `client_id`.
    public let id: String
    /// The client's authentication at the token endpoint.
    public let authentication: ClientAuthentication

    /// Creates a public client: an app on the user's device, which can't keep a secret, like every native app.
    ///
    /// [RFC 8252, 8.4](https://www.rfc-editor.org/rfc/rfc8252#section-8.4).
    public static func `public`(id: String) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .none)
    }

    /// A program without a client ID: its assertion or its identity token alone names it, as at Google.
    ///
    /// Only for ``ProgramGrant/jwtBearer(_:)`` and ``ProgramGrant/tokenExchange(_:)``.
    /// [RFC 7521, 4.1](https://www.rfc-editor.org/rfc/rfc7521#section-4.1).
    public static let anonymous = OpenIDClient(id: "", authentication: .none)

    /// Creates a confidential client: a tool or a server that holds its own secret.
    ///
    /// - Parameters:
    ///   - secret: The secret. A secret that ships with an app is not secret.
    ///   - method: The way that the client sends the secret.
    public static func confidential(
        id: String,
        secret: ClientSecret,
        method: ClientAuthentication.Method = .basic
    ) -> OpenIDClient {
        OpenIDClient(id: id, authentication: method == .basic ? .basic(secret) : .post(secret))
    }

    /// Creates a confidential client that authenticates with a private key, of which the provider has the public half.
    ///
    /// - Parameter key: The key. Secret.
    ///
    /// Wire: `private_key_jwt`.
    /// [OpenID Connect Core 1.0, 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication).
    public static func confidential(id: String, key: ClientAssertionKey) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .privateKeyJWT(key))
    }

    /// Creates a confidential client that authenticates with identity tokens of another program.
    ///
    /// - Parameter identity: The source of the tokens, whose issuer the provider trusts for this client.
    ///
    /// Wire: `client_assertion`. [RFC 7523, 2.2](https://www.rfc-editor.org/rfc/rfc7523#section-2.2).
    public static func confidential(id: String, identity: IdentityTokenSource) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .identityToken(identity))
    }

    /// Creates a confidential client whose authentication method the provider chooses.
    ///
    /// - Parameters:
    ///   - secret: The secret. A secret that ships with an app is not secret.
    ///   - provider: The provider, whose metadata name the methods that it accepts.
    public static func confidential(id: String, secret: ClientSecret, at provider: ProviderMetadata) -> OpenIDClient {
        let offered = provider.tokenEndpointAuthMethodsSupported
        let usual: ClientAuthentication.Method = provider.issuer.profile.secretMethod == .post ? .post : .basic
        let other: ClientAuthentication.Method = usual == .post ? .basic : .post
        // OpenID Connect Discovery, 3: if the list is missing, the default is client_secret_basic.
        let isOffered = offered.map { $0.contains(usual.rawValue) || !$0.contains(other.rawValue) } ?? true
        return .confidential(id: id, secret: secret, method: isOffered ? usual : other)
    }
}
