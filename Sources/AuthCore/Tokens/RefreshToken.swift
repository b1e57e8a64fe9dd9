// SPDX-License-Identifier: Apache-2.0

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

    /// The raw value.
    ///
    /// Secret: for HTTP requests and the store only.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
