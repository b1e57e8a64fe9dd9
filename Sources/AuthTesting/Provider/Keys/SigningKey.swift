// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension P256.Signing.PublicKey {
    /// Whether this key has signed a JWT with ES256.
    func hasSigned(_ jwt: String) -> Bool {
        let parts = jwt.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[2].utf8),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
    }
}

/// A key for signing tokens.
struct SigningKey: Sendable {
    private enum Material: Sendable {
        case p256(P256.Signing.PrivateKey)
        case p384(P384.Signing.PrivateKey)
        case p521(P521.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey, _RSA.Signing.Padding)
    }

    let id: String
    let algorithm: InProcessProvider.SigningAlgorithm
    private let material: Material

    /// Creates a key; nil if the system can't, as it may refuse RSA.
    init?(_ algorithm: InProcessProvider.SigningAlgorithm) {
        self.algorithm = algorithm
        id = "\(algorithm.rawValue.lowercased())-\(Hexadecimal.encode(RandomBytes.make(4)))"
        switch algorithm {
        case .es256: material = .p256(P256.Signing.PrivateKey())
        case .es384: material = .p384(P384.Signing.PrivateKey())
        case .es512: material = .p521(P521.Signing.PrivateKey())
        case .edDSA: material = .ed25519(Curve25519.Signing.PrivateKey())
        case .rs256, .ps256:
            guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { return nil }
            material = .rsa(key, algorithm == .rs256 ? .insecurePKCS1v1_5 : .PSS)
        }
    }

    func signature(of text: String) throws(EndpointError) -> [UInt8] {
        let bytes = Data(text.utf8)
        do {
            switch material {
            case .p256(let key): return Array(try key.signature(for: bytes).rawRepresentation)
            case .p384(let key): return Array(try key.signature(for: bytes).rawRepresentation)
            case .p521(let key): return Array(try key.signature(for: bytes).rawRepresentation)
            case .ed25519(let key): return Array(try key.signature(for: bytes))
            case .rsa(let key, let padding):
                return Array(try key.signature(for: bytes, padding: padding).rawRepresentation)
            }
        } catch {
            throw EndpointError("server_error", "The token can't be signed.", status: 500)
        }
    }

    /// Returns the first half of a text's hash, for `at_hash`.
    ///
    /// [OpenID Connect Core 1.0, 3.1.3.6](https://openid.net/specs/openid-connect-core-1_0.html#CodeIDToken).
    func halfHash(of text: String) -> String {
        let bytes = Data(text.utf8)
        let hash: [UInt8]
        switch algorithm {
        case .es256, .rs256, .ps256: hash = Array(SHA256.hash(data: bytes))
        case .es384: hash = Array(SHA384.hash(data: bytes))
        case .es512, .edDSA: hash = Array(SHA512.hash(data: bytes))
        }
        return Base64URL.encode(hash.prefix(hash.count / 2))
    }

    /// The public key as a JWK.
    var jwk: [String: JSONValue] {
        var members = parameters
        members["kid"] = .string(id)
        members["alg"] = .string(algorithm.rawValue)
        members["use"] = .string("sig")
        return members
    }

    /// The parameters of the public key.
    ///
    /// [RFC 7518, 6](https://www.rfc-editor.org/rfc/rfc7518#section-6).
    private var parameters: [String: JSONValue] {
        switch material {
        case .p256(let key): return Self.point(key.publicKey.rawRepresentation, "P-256")
        case .p384(let key): return Self.point(key.publicKey.rawRepresentation, "P-384")
        case .p521(let key): return Self.point(key.publicKey.rawRepresentation, "P-521")
        case .ed25519(let key):
            let x = Base64URL.encode(key.publicKey.rawRepresentation)
            return ["kty": .string("OKP"), "crv": .string("Ed25519"), "x": .string(x)]
        case .rsa(let key, _):
            guard let primitives = try? key.publicKey.getKeyPrimitives() else { return ["kty": .string("RSA")] }
            return [
                "kty": .string("RSA"),
                "n": .string(Base64URL.encode(primitives.modulus)),
                "e": .string(Base64URL.encode(primitives.publicExponent)),
            ]
        }
    }

    /// Splits a raw public key into its coordinates, in full length as RFC 7518, 6.2.1.2 requires.
    private static func point(_ raw: Data, _ curve: String) -> [String: JSONValue] {
        let half = raw.count / 2
        return [
            "kty": .string("EC"),
            "crv": .string(curve),
            "x": .string(Base64URL.encode(raw.prefix(half))),
            "y": .string(Base64URL.encode(raw.suffix(half))),
        ]
    }
}
