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

    /// The raw value.
    ///
    /// Secret: for HTTP requests and the store only.
    public var unredacted: String { text.unredacted }

    /// The same token, marked as bound to a key.
    package var bound: AccessToken {
        var bound = self
        bound.isBound = true
        return bound
    }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
