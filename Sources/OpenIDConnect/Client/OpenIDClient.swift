// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An app as a client of a provider ([RFC 6749, 2](https://www.rfc-editor.org/rfc/rfc6749#section-2)).
public struct OpenIDClient: Sendable, Equatable {
    /// The client ID; not secret.
    public let id: String
    /// The client's authentication at the token endpoint.
    public let authentication: ClientAuthentication

    /// Creates a public client: an app on the user's device, which can't keep a secret (RFC 8252, 8.4).
    public static func `public`(id: String) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .none)
    }

    /// A program without a client ID: its assertion or its identity token alone names it, as at Google.
    ///
    /// Not for ``ProgramGrant/clientCredentials``.
    /// [RFC 7521, 4.1](https://www.rfc-editor.org/rfc/rfc7521#section-4.1).
    public static let anonymous = OpenIDClient(id: "", authentication: .none)

    /// Creates a confidential client: a tool or a server that holds its own secret.
    ///
    /// A secret that ships with an app is not secret.
    public static func confidential(
        id: String,
        secret: ClientSecret,
        method: ClientAuthentication.Method = .basic
    ) -> OpenIDClient {
        OpenIDClient(id: id, authentication: method == .basic ? .basic(secret) : .post(secret))
    }

    /// Creates a confidential client that authenticates with a private key, of which the provider has the public half.
    public static func confidential(id: String, key: ClientAssertionKey) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .privateKeyJWT(key))
    }

    /// Creates a confidential client that authenticates with identity tokens of an issuer that the provider trusts.
    public static func confidential(id: String, identity: IdentityTokenSource) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .identityToken(identity))
    }
}
