// SPDX-License-Identifier: Apache-2.0

/// A nonce that binds an ID token to the one sign-in attempt that requested it.
///
/// The raw nonce stays with the client until the token is verified. The identity provider receives only its hash, so
/// that an attacker that reads the request or the token can't replay the token to a backend.
/// [OpenID Connect Core 1.0, 15.5.2](https://openid.net/specs/openid-connect-core-1_0.html#NonceNotes).
public struct Nonce: Secret {
    private let text: SecretText

    /// Creates a nonce of 32 random bytes from the system's generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a nonce from the given generator, which only test vectors may replace.
    package init(using generator: inout some RandomNumberGenerator) {
        text = SecretText(trusted: Hexadecimal.encode(RandomBytes.make(32, using: &generator)))
    }

    /// Creates a nonce from an existing value: a pending sign-in's.
    ///
    /// - Parameter nonce: The raw nonce. Secret.
    /// - Throws: ``TokenFormatError`` (`tooShort` and `tooLong` if it doesn't have 64 characters, `invalidCharacter`).
    package init(_ nonce: String) throws(TokenFormatError) {
        guard nonce.utf8.count >= 64 else { throw TokenFormatError(.tooShort, in: "nonce") }
        guard nonce.utf8.count <= 64 else { throw TokenFormatError(.tooLong, in: "nonce") }
        text = try SecretText(nonce, named: "nonce", allowing: "0123456789abcdef".utf8.contains)
    }

    /// The raw nonce: 64 lower-case hexadecimal characters.
    ///
    /// Secret until the attempt is over: only for the verifier of the ID token.
    public var unredacted: String { text.unredacted }

    /// The SHA-256 of the raw nonce's characters, in lower-case hexadecimal.
    ///
    /// Not secret: the request contains it.
    ///
    /// Wire: `nonce`, in the request and as the ID token's claim.
    /// [OpenID Connect Core 1.0, 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest).
    public var sha256: String {
        Hexadecimal.encode(text.sha256)
    }
}
