// SPDX-License-Identifier: Apache-2.0

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

    /// The raw value.
    ///
    /// Secret: for HTTP requests and the store only.
    public var unredacted: String { text.unredacted }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
