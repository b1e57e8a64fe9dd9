// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A public key in JSON.
///
/// [RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4).
struct JWK: Decodable, Sendable {
    let kty: String
    let kid: String?
    let use: String?
    let alg: String?
    let crv: String?
    let x: String?
    let y: String?
    let n: String?
    let e: String?
    /// The private key, which no DPoP proof may contain.
    let d: String?
}

/// A set of public keys.
///
/// [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
struct JWKSet: Decodable {
    /// A key, or nil if it is malformed: one key of a new kind must not make the others unusable.
    private struct Member: Decodable {
        let key: JWK?

        init(from decoder: any Decoder) { key = try? JWK(from: decoder) }
    }

    /// The maximum number of keys that are read.
    static let maximumKeys = 32

    private let keys: [Member]

    /// Returns the signature keys of a set by their ids; skips keys of other kinds and uses.
    ///
    /// - Throws: `DecodingError` if the bytes are not a key set, or have too much text beyond ASCII.
    static func signatureKeys(in data: Data) throws -> [String: VerificationKey] {
        guard !TextLimit.isExceeded(by: data) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "Too much text beyond ASCII."))
        }
        let members = try JSONDecoder().decode(JWKSet.self, from: data).keys.prefix(maximumKeys)
        var found: [String: VerificationKey] = [:]
        for jwk in members.compactMap(\.key) where jwk.use ?? "sig" == "sig" {
            guard let kid = jwk.kid, let key = VerificationKey(jwk), jwk.alg ?? key.algorithm == key.algorithm
            else { continue }
            found[kid] = key
        }
        return found
    }
}
