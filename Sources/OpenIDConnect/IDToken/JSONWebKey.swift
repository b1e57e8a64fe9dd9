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
        if Self.isForAnotherUse(members) { return nil }
        for optional in ["kid", "alg"] {
            if let value = members[optional], value.string == nil { return nil }
        }
        id = members["kid"]?.string
        algorithm = members["alg"]?.string
        issuer = members["issuer"]?.string
        guard let material = Self.material(members) else { return nil }
        self.material = material
    }

    /// Whether a key must not verify signatures (RFC 7517, 4.2 and 4.3).
    static func isForAnotherUse(_ members: [String: JSONValue]) -> Bool {
        if let use = members["use"], use.string != "sig" { return true }
        guard let operations = members["key_ops"] else { return false }
        return !(operations.array?.contains(.string("verify")) ?? false)
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
}

/// The keys that a provider publishes, without those that can't verify signatures here (RFC 7517, 5).
package struct JSONWebKeySet: Sendable {
    let keys: [JSONWebKey]
    /// The names of the keys for signatures that are malformed, too weak or unsupported; nil for one without a name.
    private var unusable: [String?] = []

    /// The maximum number of keys, more than any provider publishes.
    private static let maximumCount = 256
    /// The maximum number of keys that are tried on one signature.
    private static let maximumTries = 4

    /// Reads an untrusted key set; returns nil if it is malformed or has too many keys.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= ProviderDocument.maximumSize,
            let all = (try? JSONValue.object(in: bytes, maximumDepth: 16))?[exactly: "keys"]?.array,
            all.count <= Self.maximumCount
        else { return nil }
        // Bounded last: a text that takes too long to compare is not a missing member, and its key is skipped.
        let objects = all.compactMap { $0.object?.filter { !$0.value.isAbsent }.mapValues(\.bounded) }
        var keys: [JSONWebKey] = []
        for object in objects where !JSONWebKey.isForAnotherUse(object) {
            if let key = JSONWebKey(object) { keys.append(key) } else { unusable.append(object["kid"]?.string) }
        }
        self.keys = keys
    }

    init(keys: [JSONWebKey]) {
        self.keys = keys
    }

    /// Returns the keys that may have signed a token, by `kty`, `crv`, `use`, `key_ops`, `alg` and, if named, `kid`.
    ///
    /// A key may have no name (RFC 7517, 4.5). Such keys are for a token whose `kid` no key of the set has.
    func candidates(for algorithm: SignatureAlgorithm, id: String?) -> [JSONWebKey] {
        let fitting = keys.filter { $0.fits(algorithm) }
        guard let id else { return fitting }
        let named = fitting.filter { Self.equal($0.id, id) }
        if !named.isEmpty || unusable.contains(where: { Self.equal($0, id) }) { return named }
        return fitting.filter { $0.id == nil }
    }

    /// Checks that one of the keys for a token made its signature.
    ///
    /// Throws `unknownKey`, `malformedKey`, `ambiguousKey`, or `invalidSignature` if no key made it.
    func check(
        _ algorithm: SignatureAlgorithm,
        id: String?,
        isAllowed: (JSONWebKey) -> Bool,
        isSigner: (JSONWebKey) -> Bool
    ) throws(IDTokenError) {
        var seen: Set<JSONWebKey.Material> = []
        // Some providers list a key twice, once with its certificates.
        let found = candidates(for: algorithm, id: id)
            .filter { isAllowed($0) && seen.insert($0.material).inserted }
        guard !found.isEmpty else {
            let isMalformed = unusable.contains { name in name == nil || id.map { Self.equal(name, $0) } ?? true }
            throw IDTokenError(isMalformed ? .malformedKey : .unknownKey)
        }
        // With several keys, a token without `kid` is ambiguous.
        guard id != nil || found.count == 1 else { throw IDTokenError(.ambiguousKey) }
        guard found.prefix(Self.maximumTries).contains(where: isSigner) else { throw IDTokenError(.invalidSignature) }
    }

    private static func equal(_ name: String?, _ id: String) -> Bool {
        name.map { $0.utf8.elementsEqual(id.utf8) } ?? false
    }
}

extension JSONWebKeySet: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.keys == right.keys }
}
