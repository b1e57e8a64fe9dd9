// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A private key with which a client authenticates, in place of a client secret.
///
/// The provider knows the public key. Printing a key shows nothing of it. Keys are equal if they have the same PEM text
/// or come from the same signer, with the same settings.
/// [RFC 7523, 2.2](https://www.rfc-editor.org/rfc/rfc7523#section-2.2),
/// [OpenID Connect Core 1.0, 9](https://openid.net/specs/openid-connect-core-1_0.html#ClientAuthentication).
public struct ClientAssertionKey: Sendable, Equatable, Redacted {
    /// A function that signs a message with a key that the app doesn't hold itself, such as a key in an HSM or a KMS.
    ///
    /// It returns the signature of JWS: for ES256 the 64 bytes of R and S, not DER.
    /// [RFC 7518, 3](https://www.rfc-editor.org/rfc/rfc7518#section-3).
    public typealias Signer = @Sendable (_ message: [UInt8]) async throws -> [UInt8]

    /// The server that an assertion names as its audience.
    ///
    /// Wire: `aud`. [RFC 7523, 3](https://www.rfc-editor.org/rfc/rfc7523#section-3).
    public enum Audience: String, Sendable, Hashable {
        /// The issuer identifier, which no other server has.
        case issuer
        /// The token endpoint's URL, for servers that accept nothing else.
        case tokenEndpoint
    }

    private enum Source: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
        case signer(Signer)
    }

    /// The mark that tells one signer from another, because functions can't be compared.
    private final class Identity: Sendable {}

    /// The signature algorithm.
    ///
    /// Wire: `alg`.
    public let algorithm: SignatureAlgorithm
    /// The name of the key at the provider; nil to send none.
    ///
    /// Wire: `kid`. [RFC 7515, 4.1.4](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.4).
    public let keyID: String?
    /// The audience of the assertions.
    public var audience = Audience.issuer
    /// The key's PEM text, for the store; nil if the app signs.
    ///
    /// Secret.
    package let pem: SecretBytes?
    private let source: Source
    private let identity: Identity?

    /// Creates a key from PEM text.
    ///
    /// - Parameters:
    ///   - pem: The private key, unencrypted: P-256 in PKCS#8 or SEC1, or RSA of at least 2048 bits in PKCS#8 or
    ///     PKCS#1. Text around the key is ignored. Secret.
    ///   - algorithm: The algorithm: ES256 for P-256, RS256 or PS256 for RSA. Nil for ES256 or RS256.
    ///   - keyID: The name of the key at the provider; nil to send none.
    /// - Throws: ``OpenIDError``.
    public init(pem: String, algorithm: SignatureAlgorithm? = nil, keyID: String? = nil) throws(OpenIDError) {
        let block = Self.privateKey(in: pem)
        let fallback: SignatureAlgorithm
        if let key = try? P256.Signing.PrivateKey(pemRepresentation: block) {
            guard algorithm ?? .es256 == .es256 else { throw OpenIDError(.clientAssertion, .algorithmMismatch) }
            source = .p256(key)
            fallback = .es256
        } else if let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: block) {
            guard key.keySizeInBits >= 2_048 else { throw OpenIDError(.clientAssertion, .keyTooShort) }
            switch algorithm ?? .rs256 {
            case .rs256: source = .rsa(key, .insecurePKCS1v1_5)
            case .ps256: source = .rsa(key, .PSS)
            default: throw OpenIDError(.clientAssertion, .algorithmMismatch)
            }
            fallback = .rs256
        } else {
            throw OpenIDError(.clientAssertion, .unreadableKey)
        }
        self.algorithm = algorithm ?? fallback
        self.keyID = keyID
        self.pem = SecretBytes(block.utf8)
        identity = nil
    }

    /// Creates a key whose signatures the app makes.
    ///
    /// The key is not stored with a session. To refresh a stored session, give the app's backend the key again.
    ///
    /// - Parameters:
    ///   - keyID: The name of the key at the provider; nil to send none.
    ///   - signer: The function that signs. Called for each request, from any task, and cancelled after the timeout of
    ///     ``ProviderSettings``. Its error is the `underlying` one of ``OpenIDError`` (`signingFailed`).
    public init(algorithm: SignatureAlgorithm, keyID: String? = nil, signer: @escaping Signer) {
        self.algorithm = algorithm
        self.keyID = keyID
        pem = nil
        source = .signer(signer)
        identity = Identity()
    }

    /// Returns whether both are the same key with the same settings.
    public static func == (left: Self, right: Self) -> Bool {
        left.algorithm == right.algorithm && left.keyID == right.keyID && left.audience == right.audience
            && left.pem == right.pem && left.identity === right.identity
    }

    /// The public half as a JSON Web Key, to register at the provider; nil if the app signs.
    ///
    /// Not secret. [RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4),
    /// [RFC 7518, 6](https://www.rfc-editor.org/rfc/rfc7518#section-6).
    public var publicJWK: [String: JSONValue]? {
        guard var members = publicMaterial else { return nil }
        members["use"] = .string("sig")
        members["alg"] = .string(algorithm.description)
        members["kid"] = keyID.map { .string($0) }
        return members
    }

    private var publicMaterial: [String: JSONValue]? {
        switch source {
        case .p256(let key):
            // RFC 7518, 6.2.1: both coordinates in full length.
            let point = Array(key.publicKey.rawRepresentation)
            return [
                "kty": .string("EC"), "crv": .string("P-256"),
                "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
            ]
        case .rsa(let key, _):
            guard let numbers = try? key.publicKey.getKeyPrimitives() else { return nil }
            return [
                "kty": .string("RSA"), "n": Self.number(numbers.modulus), "e": Self.number(numbers.publicExponent),
            ]
        case .signer:
            return nil
        }
    }

    /// Returns a positive number without leading zeros: [RFC 7518, 2](https://www.rfc-editor.org/rfc/rfc7518#section-2).
    private static func number(_ bytes: Data) -> JSONValue {
        .string(Base64URL.encode(Array(bytes).drop { $0 == 0 }))
    }

    /// Returns the key of a stored session whose signer is known only to the app.
    package static func unavailable(algorithm: SignatureAlgorithm, keyID: String?) -> ClientAssertionKey {
        ClientAssertionKey(algorithm: algorithm, keyID: keyID) { _ in
            throw OpenIDError(.clientAssertion, .keyUnavailable)
        }
    }

    /// Returns the signature of a message.
    ///
    /// - Throws: ``OpenIDError``; `CancellationError`.
    func signature(of message: [UInt8]) async throws -> [UInt8] {
        do {
            switch source {
            case .p256(let key): return Array(try key.signature(for: message).rawRepresentation)
            case .rsa(let key, let padding):
                return Array(try key.signature(for: message, padding: padding).rawRepresentation)
            case .signer(let sign): return try await sign(message)
            }
        } catch let error where !(error is CancellationError || (error as? OpenIDError)?.operation == .clientAssertion)
        {
            throw OpenIDError(.clientAssertion, .signingFailed, underlying: error)
        }
    }

    /// Returns the first private key in a text, or the whole text if it contains no key.
    ///
    /// OpenSSL writes the curve's parameters before a SEC1 key.
    private static func privateKey(in text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END ") })
        else { return text }
        return lines[begin...end].joined(separator: "\n")
    }
}
