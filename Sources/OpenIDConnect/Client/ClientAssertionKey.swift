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
/// [RFC 7523, 2.2](https://www.rfc-editor.org/rfc/rfc7523#section-2.2).
public struct ClientAssertionKey: Sendable, Equatable, Redacted {
    /// The server that an assertion names as its audience: `aud`.
    public enum Audience: String, Sendable, Hashable {
        /// The issuer identifier, which no other server has.
        case issuer
        /// The token endpoint's URL, for servers that accept nothing else.
        ///
        /// To an endpoint of another origin, an assertion names the issuer.
        case tokenEndpoint
    }

    private enum Source: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
        case signer(@Sendable ([UInt8]) async throws -> [UInt8])
    }

    /// The mark that tells one signer from another, because functions can't be compared.
    private final class Identity: Sendable {}

    /// The signature algorithm.
    public let algorithm: SignatureAlgorithm
    /// The name of the key at the provider (`kid`); nil to send none.
    public let keyID: String?
    /// The audience of the assertions.
    public var audience = Audience.issuer
    /// The key's PEM text, for the store; secret; nil if the app signs.
    package let pem: SecretBytes?
    private let source: Source
    private let identity: Identity?

    /// Creates a key from secret PEM text.
    ///
    /// The private key is unencrypted: P-256 in PKCS#8 or SEC1 for ES256, or RSA of at least 2048 bits in PKCS#8 or
    /// PKCS#1 for RS256, the default, or PS256. Text around the key is ignored.
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

    /// Creates a key that the app doesn't hold itself, such as a key in an HSM or a KMS.
    ///
    /// The key is not stored with a session. To refresh a stored session, give the app's backend the key again. The
    /// signer returns the signature of JWS (RFC 7518, 3): for ES256 the 64 bytes of R and S, not DER. It is called for each
    /// request, from any task, and cancelled after the timeout of ``ProviderSettings``. Its error is the `underlying` one.
    public init(
        algorithm: SignatureAlgorithm,
        keyID: String? = nil,
        signer: @escaping @Sendable (_ message: [UInt8]) async throws -> [UInt8]
    ) {
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

    /// The public half as a JSON Web Key (RFC 7517, 4), to register at the provider; nil if the app signs.
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

    /// Returns a positive number without leading zeros (RFC 7518, 2).
    private static func number(_ bytes: Data) -> JSONValue {
        .string(Base64URL.encode(Array(bytes).drop { $0 == 0 }))
    }

    /// Returns the key of a stored session whose signer is known only to the app.
    package static func unavailable(algorithm: SignatureAlgorithm, keyID: String?) -> ClientAssertionKey {
        ClientAssertionKey(algorithm: algorithm, keyID: keyID) { _ in
            throw OpenIDError(.clientAssertion, .keyUnavailable)
        }
    }

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

    /// Returns the first private key in a text, else the text: OpenSSL writes the curve's parameters before a SEC1 key.
    private static func privateKey(in text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("PRIVATE KEY-----") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END ") })
        else { return text }
        return lines[begin...end].joined(separator: "\n")
    }
}

/// A signed statement that proves the client's identity to one server, for one request (RFC 7523, 3).
struct ClientAssertion {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    /// The time for which an assertion is valid, in seconds.
    private static let lifetime: Int64 = 60

    let clientID: String
    let audience: String
    /// The time in seconds since 1970, by the server's clock as far as it is known.
    let issuedAt: Int64

    func signed(by key: ClientAssertionKey) async throws -> String {
        try await key.jwt(of: [
            // RFC 7523, 3: both are the client ID.
            "iss": .string(clientID),
            "sub": .string(clientID),
            "aud": .string(audience),
            "iat": .integer(issuedAt),
            "exp": .integer(issuedAt + Self.lifetime),
        ])
    }
}

extension ClientAssertionKey {
    /// Returns a signed JWT of claims, with an ID of its own, in the compact form.
    func jwt(of claims: [String: JSONValue]) async throws -> String {
        var header: [String: JSONValue] = ["alg": .string(algorithm.description), "typ": .string("JWT")]
        if let keyID { header["kid"] = .string(keyID) }
        var claims = claims
        // OpenID Connect Core 1.0, 9: REQUIRED, and used once.
        claims["jti"] = .string(Base64URL.encode(RandomBytes.make(16)))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text =
            Base64URL.encode(try encoder.encode(header)) + "." + Base64URL.encode(try encoder.encode(claims))
        return text + "." + Base64URL.encode(try await signature(of: Array(text.utf8)))
    }
}
