import Crypto

/// A nonce that ties an ID token to the one attempt it was asked for.
///
/// The raw nonce stays with the client until the token is checked; the identity provider is given its hash, so that
/// who reads the request or the token learns nothing that lets them replay it to a backend.
/// [OpenID Connect Core 1.0, 15.5.2](https://openid.net/specs/openid-connect-core-1_0.html#NonceNotes).
public struct Nonce: Secret {
    private let text: SecretText

    /// Makes a nonce of 32 random bytes from the system's generator.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        text = SecretText(trusted: Hexadecimal.encode(RandomBytes.make(32, using: &generator)))
    }

    /// The raw nonce: 64 lower-case hexadecimal characters.
    ///
    /// Secret until the attempt is over.
    public var unredacted: String { text.unredacted }

    /// The SHA-256 of the raw nonce's characters, in lower-case hexadecimal.
    ///
    /// Public: this goes into the request.
    public var sha256: String {
        Hexadecimal.encode(SHA256.hash(data: Array(text.unredacted.utf8)))
    }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
