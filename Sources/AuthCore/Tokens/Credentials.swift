// SPDX-License-Identifier: Apache-2.0

/// An access token: the credential of a request to a protected resource.
///
/// Wire: `access_token`. [RFC 6749, 1.4](https://www.rfc-editor.org/rfc/rfc6749#section-1.4).
public struct AccessToken: Secret {
    private let text: SecretText
    /// Whether the token may be sent only with a DPoP proof, never by itself.
    ///
    /// [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1).
    package private(set) var isBound = false

    /// Creates an access token from untrusted text.
    ///
    /// - Parameter text: The token: printable ASCII without spaces, so that it stays one credential in a header field.
    ///   Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "access token", allowing: TokenCharacters.isVisibleWithoutSpace)
    }

    public var unredacted: String { text.unredacted }

    /// The same token, marked as bound to a key.
    package var bound: AccessToken {
        var bound = self
        bound.isBound = true
        return bound
    }
}

/// A refresh token: the credential with which a client requests a new access token.
///
/// Wire: `refresh_token`. [RFC 6749, 1.5](https://www.rfc-editor.org/rfc/rfc6749#section-1.5).
public struct RefreshToken: Secret {
    private let text: SecretText

    /// Creates a refresh token from untrusted text.
    ///
    /// - Parameter text: The token: printable ASCII. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "refresh token", allowing: TokenCharacters.isVisible)
    }

    public var unredacted: String { text.unredacted }
}

/// An ID token as received, a compact JWT.
///
/// The type checks the characters only. It does not mean that the token is valid.
///
/// Wire: `id_token`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
public struct IDToken: Secret {
    private let text: SecretText

    /// Creates an ID token from untrusted text.
    ///
    /// - Parameter text: The token: base64url and dots. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "ID token", allowing: TokenCharacters.isCompactJWT)
    }

    public var unredacted: String { text.unredacted }
}

/// A client secret.
///
/// A native app can't keep a client secret confidential. Tools and servers may have one.
///
/// Wire: `client_secret`. [RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1).
public struct ClientSecret: Secret {
    private let text: SecretText

    /// Creates a client secret from untrusted text.
    ///
    /// - Parameter text: The secret: printable ASCII. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "client secret", allowing: TokenCharacters.isVisible)
    }

    public var unredacted: String { text.unredacted }
}

/// An app's API key: identifies the calling app, not the user.
///
/// Wire: the header field `X-API-Key`, sent only to the client's origins.
public struct APIKey: Secret {
    private let text: SecretText

    /// Creates an API key from untrusted text.
    ///
    /// - Parameter text: The key: printable ASCII without spaces. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "API key", allowing: TokenCharacters.isVisibleWithoutSpace)
    }

    public var unredacted: String { text.unredacted }
}

/// A user's password, for the one call that needs it.
///
/// Never persisted.
public struct Password: Secret {
    private let text: SecretText

    /// Wraps the user's input, of any content.
    ///
    /// - Parameter text: The password. Secret.
    public init(_ text: String) {
        self.text = SecretText(trusted: text)
    }

    /// Wraps a password in UTF-8 that is in memory already, without another copy.
    ///
    /// - Parameter bytes: The password. Bytes that are not UTF-8 are replaced. Secret.
    public init(_ bytes: SecretBytes) {
        text = SecretText(trusted: bytes)
    }

    public var unredacted: String { text.unredacted }
}
