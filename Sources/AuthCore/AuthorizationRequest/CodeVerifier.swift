// SPDX-License-Identifier: Apache-2.0

/// A PKCE code verifier, and the S256 challenge derived from it.
///
/// The method `plain` is not supported.
///
/// Wire: `code_verifier`, `code_challenge`. [RFC 7636, 4.1](https://www.rfc-editor.org/rfc/rfc7636#section-4.1).
public struct CodeVerifier: Secret {
    private static let name = "code verifier"
    private let text: SecretText

    /// Creates a verifier of 32 random bytes from the system's generator, as RFC 7636, 4.1 recommends.
    public init() {
        text = SecretText(trusted: Base64URL.encode(RandomBytes.make(32)))
    }

    /// Creates a verifier from an existing value: a test vector's, or a pending authorization's.
    ///
    /// - Throws: ``TokenFormatError`` (`tooShort` under 43 characters, `tooLong` over 128, `invalidCharacter`).
    package init(_ verifier: String) throws(TokenFormatError) {
        guard verifier.utf8.count >= 43 else { throw TokenFormatError(.tooShort, in: Self.name) }
        guard verifier.utf8.count <= 128 else { throw TokenFormatError(.tooLong, in: Self.name) }
        text = try SecretText(verifier, named: Self.name, allowing: TokenCharacters.isUnreserved)
    }

    /// The raw verifier: 43 to 128 unreserved characters.
    ///
    /// Secret: it goes only to the token endpoint.
    ///
    /// Wire: `code_verifier`. [RFC 7636, 4.5](https://www.rfc-editor.org/rfc/rfc7636#section-4.5).
    public var unredacted: String { text.unredacted }

    /// The challenge for the authorization request: base64url of the verifier's SHA-256.
    ///
    /// Not secret.
    ///
    /// Wire: `code_challenge` with `code_challenge_method=S256`.
    /// [RFC 7636, 4.2](https://www.rfc-editor.org/rfc/rfc7636#section-4.2).
    public var codeChallenge: String {
        Base64URL.encode(text.sha256)
    }
}
