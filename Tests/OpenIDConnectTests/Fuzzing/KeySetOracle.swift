// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AuthCore
@testable import OpenIDConnect

/// The invariants of every key set: judges the inputs of the fuzzer and of the corpus.
///
/// Nothing may crash. A key is a candidate for a token only if the set, as Foundation reads it, has a key of that type,
/// name and purpose, or without name or purpose. No key accepts a made-up signature.
enum KeySetOracle {
    /// Reads bytes as a key set, and requests the keys of every algorithm, with a name and without.
    ///
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaint(about bytes: [UInt8]) -> String? {
        guard let set = JSONWebKeySet(bytes) else { return nil }
        guard let said = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)),
            let all = said["keys"]?.array
        else { return "accepted, but rejected by Foundation" }
        guard set.keys.count <= all.count, all.count <= 256 else { return "the set has more keys than the document" }
        let members = all.compactMap { $0.object?.filter { !$0.value.isAbsent } }
        for algorithm in SignatureAlgorithm.all {
            let ids = Set(members.compactMap { $0["kid"]?.string } + ["another"])
            for id in ids.map(Optional.some) + [nil] {
                let candidates = set.candidates(for: algorithm, id: id)
                let right = members.filter { isCandidate($0, for: algorithm, id: id) }
                guard candidates.count <= right.count else { return "a key that does not fit the token is a candidate" }
                for key in candidates where !right.contains(where: { isSame(key.material, $0) }) {
                    return "a key differs from the document"
                }
            }
        }
        return nil
    }

    /// Tries keys on a made-up signature; this is the slow part.
    ///
    /// - Parameters:
    ///   - bytes: The key set.
    ///   - isNew: Whether to try a key: a fuzzer skips keys that it tried before.
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaintAboutUse(
        of bytes: [UInt8],
        isNew: @Sendable (JSONWebKey.Material) -> Bool = { _ in true }
    ) -> String? {
        guard let set = JSONWebKeySet(bytes) else { return nil }
        for algorithm in [SignatureAlgorithm.rs256, .es256, .es384, .es512, .edDSA] {
            for key in set.candidates(for: algorithm, id: nil).prefix(4) where isNew(key.material) {
                let signature = Base64URL.encode([UInt8](repeating: 1, count: length(of: key)))
                if JSONWebSignature.isValid("e30.e30.\(signature)", by: key, with: algorithm) {
                    return "a made-up signature is valid"
                }
            }
        }
        return nil
    }

    /// RFC 7517, 4.2, 4.3, 4.4 and 4.5, and RFC 7518, 6.1.
    private static func isCandidate(_ key: [String: JSONValue], for algorithm: SignatureAlgorithm, id: String?) -> Bool
    {
        let named = algorithm.description
        let type = named.hasPrefix("ES") ? "EC" : named == "EdDSA" || named == "Ed25519" ? "OKP" : "RSA"
        let curves = ["ES256": "P-256", "ES384": "P-384", "ES512": "P-521", "EdDSA": "Ed25519", "Ed25519": "Ed25519"]
        guard key["kty"]?.string == type, curves[named] == nil || key["crv"]?.string == curves[named] else {
            return false
        }
        if let use = key["use"], use.string != "sig" { return false }
        if let operations = key["key_ops"], operations.array?.contains(.string("verify")) != true { return false }
        if let only = key["alg"], only.string != named { return false }
        guard let id, let name = key["kid"] else { return true }
        return name.string?.utf8.elementsEqual(id.utf8) ?? false
    }

    private static func isSame(_ material: JSONWebKey.Material, _ key: [String: JSONValue]) -> Bool {
        switch material {
        case .rsa(let modulus, let exponent):
            return key["n"]?.string == Base64URL.encode(modulus) && key["e"]?.string == Base64URL.encode(exponent)
                && modulus.drop { $0 == 0 }.count >= 256
        case .curve(let name, let point):
            let x = point.prefix(name == "Ed25519" ? 32 : point.count / 2)
            let y = point.dropFirst(x.count)
            return key["crv"]?.string == name && key["x"]?.string == Base64URL.encode(x)
                && (y.isEmpty || key["y"]?.string == Base64URL.encode(y))
        }
    }

    /// Returns the length of a key's signatures.
    private static func length(of key: JSONWebKey) -> Int {
        switch key.material {
        case .rsa(let modulus, _): modulus.drop { $0 == 0 }.count
        case .curve("P-384", _): 96
        case .curve("P-521", _): 132
        case .curve: 64
        }
    }
}
