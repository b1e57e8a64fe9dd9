/// The state of an authorization request: ties the response to the browser session it came from.
///
/// Wire: `state`. [RFC 6749, 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1),
/// [10.12](https://www.rfc-editor.org/rfc/rfc6749#section-10.12).
public struct State: Secret {
    private let text: SecretText

    /// Makes a state of 32 random bytes from the system's generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        text = SecretText(trusted: Base64URL.encode(RandomBytes.make(32, using: &generator)))
    }

    /// Takes a state made elsewhere: a pending authorization's.
    ///
    /// - Parameter state: The raw value. Secret.
    /// - Throws: ``TokenFormatError`` (`tooShort` under 22 characters, which is 128 bits; `tooLong`, `invalidCharacter`).
    package init(_ state: String) throws(TokenFormatError) {
        guard state.utf8.count >= 22 else { throw TokenFormatError(.tooShort, in: "state") }
        text = try SecretText(state, named: "state", allowing: TokenCharacters.isUnreserved)
    }

    /// The raw value: 43 base64url characters.
    ///
    /// Secret until the response has come. It stands in the request's URL, which is not for logs.
    public var unredacted: String { text.unredacted }

    /// Whether a response carries this state, compared in constant time.
    ///
    /// - Parameter value: The response's `state`, percent-decoded. From outside.
    /// - Returns: True where it is the same.
    public func matches(_ value: String) -> Bool {
        text.matches(value)
    }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
