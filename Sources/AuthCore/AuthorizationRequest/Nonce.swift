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

    /// Makes a nonce from the given generator, which only vectors may replace.
    package init(using generator: inout some RandomNumberGenerator) {
        text = SecretText(trusted: Hexadecimal.encode(RandomBytes.make(32, using: &generator)))
    }

    /// The raw nonce: 64 lower-case hexadecimal characters.
    ///
    /// Secret until the attempt is over: for who verifies the ID token alone.
    public var unredacted: String { text.unredacted }

    /// The SHA-256 of the raw nonce's characters, in lower-case hexadecimal.
    ///
    /// Public: this goes into the request.
    ///
    /// Wire: `nonce`, in the request and as the ID token's claim.
    /// [OpenID Connect Core 1.0, 3.1.2.1](https://openid.net/specs/openid-connect-core-1_0.html#AuthRequest).
    public var sha256: String {
        Hexadecimal.encode(text.sha256)
    }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool { SecretText.equal(left.text, right.text) }
}
