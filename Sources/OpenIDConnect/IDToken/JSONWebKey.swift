// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A public key that a provider publishes for signatures (RFC 7517, 4).
struct JSONWebKey: Sendable, Hashable {
    enum Material: Sendable, Hashable {
        /// The modulus and the exponent of an RSA key, both big-endian.
        case rsa(modulus: [UInt8], exponent: [UInt8])
        /// The coordinates x and y of a point, concatenated; for Ed25519 only x.
        case curve(name: String, point: [UInt8])
    }

    let id: String?
    let material: Material
    /// The only algorithm that the key may be used with; nil for no restriction.
    private let algorithm: String?
    /// The only issuer whose tokens the key signs, at Microsoft; nil for no restriction.
    let issuer: String?

    /// Reads a key; returns nil if it is unsupported, for another use or malformed, as a set may hold (RFC 7517, 5).
    init?(_ members: [String: JSONValue]) {
        // RFC 7517, 4.2 and 4.3: a key for another use must not verify signatures.
        if let use = members["use"], use.string != "sig" { return nil }
        if let operations = members["key_ops"] {
            guard let all = operations.array, all.contains(.string("verify")) else { return nil }
        }
        for optional in ["kid", "alg"] {
            if let value = members[optional], value.string == nil { return nil }
        }
        id = members["kid"]?.string
        algorithm = members["alg"]?.string
        issuer = members["issuer"]?.string
        guard let material = Self.material(members) else { return nil }
        self.material = material
    }

    private static func material(_ members: [String: JSONValue]) -> Material? {
        switch members["kty"]?.string {
        case "RSA":
            guard let modulus = bytes(members["n"]), let exponent = bytes(members["e"]),
                isStrong(modulus: modulus), isSound(exponent: exponent)
            else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case "EC":
            guard let curve = members["crv"]?.string, let size = coordinateSize[curve],
                let x = bytes(members["x"]), let y = bytes(members["y"]), x.count == size, y.count == size
            else { return nil }
            return .curve(name: curve, point: x + y)
        case "OKP":
            guard members["crv"]?.string == "Ed25519", let x = bytes(members["x"]), x.count == 32 else { return nil }
            return .curve(name: "Ed25519", point: x)
        default:
            return nil
        }
    }

    private static func bytes(_ member: JSONValue?) -> [UInt8]? {
        (member?.string).flatMap { Base64URL.decode($0.utf8) }
    }

    /// The full size of a coordinate in bytes (RFC 7518, 6.2.1.2).
    private static let coordinateSize = ["P-256": 32, "P-384": 48, "P-521": 66]

    /// Returns whether the modulus has at least 2048 bits (RFC 7518, 3.3), and few enough for a quick verification.
    private static func isStrong(modulus: [UInt8]) -> Bool {
        let bytes = modulus.drop { $0 == 0 }
        guard let first = bytes.first else { return false }
        let bits = bytes.count * 8 - first.leadingZeroBitCount
        return (2_048...16_384).contains(bits)
    }

    /// Returns whether the exponent is odd, greater than one, and at most 64 bits long.
    private static func isSound(exponent: [UInt8]) -> Bool {
        let bytes = exponent.drop { $0 == 0 }
        guard let last = bytes.last else { return false }
        return bytes.count <= 8 && last & 1 == 1 && !(bytes.count == 1 && last == 1)
    }

    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        if let mine = self.algorithm, !mine.utf8.elementsEqual(algorithm.description.utf8) { return false }
        return switch material {
        case .rsa: algorithm.keyType == "RSA"
        case .curve(let name, _): algorithm.curve == name
        }
    }

    func isNamed(_ id: String) -> Bool { self.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
}

/// The keys that a provider publishes, without those that can't verify signatures here (RFC 7517, 5).
package struct JSONWebKeySet: Sendable, Equatable {
    let keys: [JSONWebKey]

    /// The maximum number of keys, more than any provider publishes.
    private static let maximumCount = 256

    /// Reads an untrusted key set; returns nil if it is malformed or has too many keys.
    package init?(_ bytes: [UInt8]) {
        guard let document = ProviderDocument(bytes), let all = document["keys"]?.array,
            all.count <= Self.maximumCount
        else { return nil }
        keys = all.compactMap { $0.object.flatMap { JSONWebKey($0) } }
    }

    init(keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Returns the keys that may have signed a token, by `kty`, `crv`, `use`, `key_ops`, `alg` and, if named, `kid`.
    func candidates(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        keys.filter { key in key.fits(algorithm) && (id.map { key.isNamed($0) } ?? true) }
    }
}
