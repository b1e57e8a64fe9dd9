/// An app's API key: says which app is calling, not which person.
///
/// Wire: the header field `X-API-Key`. Goes only to the origin that the client was made for.
public struct APIKey: Secret {
    private let text: SecretText

    /// Takes an API key from outside.
    ///
    /// - Parameter text: The key: printable ASCII without spaces. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "API key", allowing: TokenCharacters.isVisibleWithoutSpace)
    }

    /// The raw value.
    ///
    /// Secret: for the wire and the store alone.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
