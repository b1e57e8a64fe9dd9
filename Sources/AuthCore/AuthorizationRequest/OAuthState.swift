// SPDX-License-Identifier: Apache-2.0

/// The state of an authorization request, which binds the response to the browser session.
///
/// Wire: `state`. [RFC 6749, 4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1),
/// [10.12](https://www.rfc-editor.org/rfc/rfc6749#section-10.12).
public struct OAuthState: Secret {
    private let text: SecretText

    /// Creates a state of 32 random bytes from the system's generator.
    public init() {
        text = SecretText(trusted: Base64URL.encode(RandomBytes.make(32)))
    }

    /// Creates a state from an existing value: a pending authorization's.
    ///
    /// - Parameter state: The raw value. Secret.
    /// - Throws: ``TokenFormatError`` (`tooShort` under 22 characters, which is 128 bits; `tooLong`,
    ///   `invalidCharacter`).
    package init(_ state: String) throws(TokenFormatError) {
        guard state.utf8.count >= 22 else { throw TokenFormatError(.tooShort, in: "state") }
        text = try SecretText(state, named: "state", allowing: TokenCharacters.isUnreserved)
    }

    /// The raw value: at least 22 unreserved characters; 43 of base64url in a new state.
    ///
    /// Secret until the response has arrived. The request's URL contains it, so don't log the URL.
    public var unredacted: String { text.unredacted }

    /// Whether a response carries this state, compared in constant time.
    ///
    /// - Parameter value: The response's `state`, percent-decoded. Untrusted.
    /// - Returns: True if it is the same.
    public func matches(_ value: String) -> Bool {
        text.matches(value)
    }
}
