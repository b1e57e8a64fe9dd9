/// An ID token as it came, a compact JWT.
///
/// That it is one says nothing about its being valid.
///
/// Wire: `id_token`. [OpenID Connect Core 1.0, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken).
public struct IDToken: Secret {
    private let text: SecretText

    /// Takes an ID token from outside.
    ///
    /// - Parameter text: The token: base64url and dots. Secret.
    /// - Throws: ``TokenFormatError`` (`empty`; `tooLong` over 65,536 bytes; `invalidCharacter`).
    public init(_ text: String) throws(TokenFormatError) {
        self.text = try SecretText(text, named: "ID token", allowing: TokenCharacters.isCompactJWT)
    }

    /// The raw value.
    ///
    /// Secret: for the wire and the store alone.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
