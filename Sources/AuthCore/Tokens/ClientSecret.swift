/// A client secret.
///
/// A native app has none that stays secret; tools and servers may.
///
/// Wire: `client_secret`. [RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1).
public struct ClientSecret: Secret {
    private let text: SecretText

    /// Takes a client secret from outside.
    ///
    /// - Parameter text: The secret: printable ASCII. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "client secret", allowing: TokenCharacters.isVisible)
    }

    /// The raw value.
    ///
    /// Secret: for the wire and the store alone.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
