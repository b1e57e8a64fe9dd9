// SPDX-License-Identifier: Apache-2.0

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

    /// The raw value.
    ///
    /// Secret: for HTTP requests and the store only.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
