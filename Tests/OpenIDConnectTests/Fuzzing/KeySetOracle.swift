import Foundation

@testable import AuthCore
@testable import OpenIDConnect

/// What must hold for a key set whatever it says: the fuzzer's judge, and the one of its inputs.
///
/// Nothing may crash. A key is a candidate for a token only if the set, as Foundation reads it, has a key of that type,
/// name and purpose; and no key makes a signature right that nobody made.
enum KeySetOracle {
    /// Reads bytes as a key set, and asks it for the keys of every algorithm, with a name and without.
    ///
    /// - Returns: What is wrong; nil where nothing is.
    static func complaint(about bytes: [UInt8]) -> String? {
        guard let set = JSONWebKeySet(bytes) else { return nil }
        guard let said = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)),
            let all = said["keys"]?.array
        else { return "taken here, and refused by Foundation" }
        guard set.keys.count <= all.count, all.count <= 256 else { return "more keys than there are" }
        let members = all.compactMap(\.object)
        for algorithm in SignatureAlgorithm.all {
            let ids = Set(members.compactMap { $0["kid"]?.string } + ["another"])
            for id in ids.map(Optional.some) + [nil] {
                let candidates = set.candidates(for: algorithm, id: id)
                let right = members.filter { isRight($0, for: algorithm, id: id) }
                guard candidates.count <= right.count else { return "a key that is not for this token" }
                for key in candidates where !right.contains(where: { isSame(key.material, $0) }) {
                    return "two readings of one key"
                }
            }
        }
        return nil
    }

    /// Tries keys on a signature that nobody made, which is what takes time.
    ///
    /// - Parameters:
    ///   - bytes: The key set.
    ///   - isNew: Whether a key is worth it: a fuzzer leaves out those that it tried before.
    /// - Returns: What is wrong; nil where nothing is.
    static func complaintAboutUse(
        of bytes: [UInt8],
        isNew: @Sendable (JSONWebKey.Material) -> Bool = { _ in true }
    ) async -> String? {
        guard let set = JSONWebKeySet(bytes) else { return nil }
        for algorithm in [SignatureAlgorithm.rs256, .es256, .es384, .es512, .edDSA] {
            for key in set.candidates(for: algorithm, id: nil).prefix(4) where isNew(key.material) {
                let signature = Base64URL.encode([UInt8](repeating: 1, count: length(of: key)))
                if await JSONWebSignature.isValid("e30.e30.\(signature)", by: key, with: algorithm) {
                    return "a signature that nobody made is right"
                }
            }
        }
        return nil
    }

    /// RFC 7517, 4.2, 4.3, 4.4 and 4.5, and RFC 7518, 6.1.
    private static func isRight(_ key: [String: JSONValue], for algorithm: SignatureAlgorithm, id: String?) -> Bool {
        let named = algorithm.description
        let type = named.hasPrefix("ES") ? "EC" : named == "EdDSA" || named == "Ed25519" ? "OKP" : "RSA"
        let curves = ["ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "EdDSA": "Ed25519", "Ed25519": "Ed25519"]
        guard key["kty"]?.string == type, curves[named] == nil || key["crv"]?.string == curves[named] else {
            return false
        }
        if let use = key["use"], use.string != "sig" { return false }
        if let operations = key["key_ops"], operations.array?.contains(.string("verify")) != true { return false }
        if let only = key["alg"], only.string != named { return false }
        guard let id else { return true }
        return key["kid"]?.string.map { $0.utf8.elementsEqual(id.utf8) } ?? false
    }

    private static func isSame(_ material: JSONWebKey.Material, _ key: [String: JSONValue]) -> Bool {
        switch material {
        case .rsa(let modulus, let exponent):
            guard let bytes = Base64URL.decode(modulus.utf8)?.drop(while: { $0 == 0 }) else { return false }
            return key["n"]?.string == modulus && key["e"]?.string == exponent && bytes.count >= 256
        case .curve(let name, let x, let y):
            return key["crv"]?.string == name && key["x"]?.string == x && (y == nil || key["y"]?.string == y)
        }
    }

    /// The length that a signature of a key has.
    private static func length(of key: JSONWebKey) -> Int {
        switch key.material {
        case .rsa(let modulus, _): Base64URL.decode(modulus.utf8)?.drop { $0 == 0 }.count ?? 0
        case .curve("P-384", _, _): 96
        case .curve("P-521", _, _): 132
        case .curve: 64
        }
    }
}
