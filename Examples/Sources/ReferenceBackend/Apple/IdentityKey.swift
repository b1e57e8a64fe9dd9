#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An RSA key of an issuer's key set.
///
/// [RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4).
struct IdentityKey: Sendable, Equatable {
    let id: String
    /// The modulus, encoded as base64url.
    let modulus: String
    /// The exponent, encoded as base64url.
    let exponent: String

    /// The maximum number of keys read from one set.
    static let mostKeys = 32

    private struct KeySet: Decodable {
        let keys: [Member]
    }

    private struct Member: Decodable {
        let kty: String
        let kid: String?
        let use: String?
        let alg: String?
        let n: String?
        let e: String?
    }

    /// Reads a key set and skips keys that are not for RS256 signatures.
    ///
    /// - Throws: `DecodingError` if the bytes are not a key set.
    static func keys(inSet data: Data) throws -> [String: IdentityKey] {
        let members = try JSONDecoder().decode(KeySet.self, from: data).keys
        var keys: [String: IdentityKey] = [:]
        for member in members.prefix(mostKeys) {
            guard member.kty == "RSA", member.use ?? "sig" == "sig", member.alg ?? "RS256" == "RS256",
                let id = member.kid, let modulus = member.n, let exponent = member.e
            else { continue }
            keys[id] = IdentityKey(id: id, modulus: modulus, exponent: exponent)
        }
        return keys
    }
}
