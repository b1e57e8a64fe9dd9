package import AuthCore
import Crypto

/// The key that tokens are bound to: who has a token and not the key can't use it.
///
/// Made once for a session and kept with it. ES256 alone.
/// [RFC 9449](https://www.rfc-editor.org/rfc/rfc9449).
public struct DPoPKey: Sendable {
    private let privateKey: P256.Signing.PrivateKey

    /// Makes a new key.
    public init() {
        privateKey = P256.Signing.PrivateKey()
    }

    /// Takes a key out of a store; nil where it is none.
    ///
    /// - Parameter bytes: As ``bytes``. Secret.
    package init?(_ bytes: SecretBytes) {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes.unredacted) else { return nil }
        privateKey = key
    }

    /// The private key, for the store.
    ///
    /// Secret.
    package var bytes: SecretBytes { SecretBytes(Array(privateKey.rawRepresentation)) }

    /// The public key's members, in the order in which a thumbprint is made of them.
    ///
    /// [RFC 7638, 3.2](https://www.rfc-editor.org/rfc/rfc7638#section-3.2).
    var publicKey: String {
        let point = Array(privateKey.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The key's name, which a provider binds codes and tokens to.
    ///
    /// Public.
    ///
    /// Wire: `dpop_jkt`, `jkt`. [RFC 9449, 10](https://www.rfc-editor.org/rfc/rfc9449#section-10).
    package var thumbprint: String {
        Base64URL.encode(Array(SHA256.hash(data: Array(publicKey.utf8))))
    }

    /// A signature, as JWS writes it.
    func signature(of text: String) throws -> [UInt8] {
        Array(try privateKey.signature(for: Array(text.utf8)).rawRepresentation)
    }
}

/// The key never shows itself.
extension DPoPKey: CustomStringConvertible, CustomReflectable, Equatable {
    /// Always the same, without the key.
    public var description: String { "DPoPKey(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Equal where the keys are, compared in constant time.
    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
}
