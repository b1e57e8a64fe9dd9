public import AuthCore

/// An app as a provider knows it.
///
/// [RFC 6749, 2](https://www.rfc-editor.org/rfc/rfc6749#section-2).
public struct OpenIDClient: Sendable, Equatable {
    /// The client ID, which is no secret.
    ///
    /// Wire: `client_id`.
    public let id: String
    /// How the app shows at the token endpoint that it is this client.
    public let authentication: ClientAuthentication

    /// An app in the hand of a person, which can keep no secret: what a native app is.
    ///
    /// [RFC 8252, 8.4](https://www.rfc-editor.org/rfc/rfc8252#section-8.4).
    ///
    /// - Parameter id: The client ID.
    /// - Returns: The client.
    public static func `public`(id: String) -> OpenIDClient {
        OpenIDClient(id: id, authentication: .none)
    }

    /// A tool or a server that was given a secret of its own.
    ///
    /// - Parameters:
    ///   - id: The client ID.
    ///   - secret: The secret. One that ships with an app is none.
    ///   - method: How the secret is shown.
    /// - Returns: The client.
    public static func confidential(
        id: String,
        secret: ClientSecret,
        method: ClientAuthentication.Method = .basic
    ) -> OpenIDClient {
        OpenIDClient(id: id, authentication: method == .basic ? .basic(secret) : .post(secret))
    }
}
