// SPDX-License-Identifier: Apache-2.0

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

    /// The raw value.
    ///
    /// Secret: for HTTP requests and the store only.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
