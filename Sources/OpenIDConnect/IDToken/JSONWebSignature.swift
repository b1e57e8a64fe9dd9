// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verification of a signature in compact serialization
/// ([RFC 7515, 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2)).
///
/// The caller chooses the key and the algorithm, never the token.
enum JSONWebSignature {
    /// Returns whether a key made the signature of a token that is known to be three parts of base64url.
    static func isValid(_ compact: String, by key: JSONWebKey, with algorithm: SignatureAlgorithm) -> Bool {
        guard let dot = compact.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(compact.utf8[compact.utf8.index(after: dot)...])
        else { return false }
        let text = Array(compact.utf8[..<dot])
        do {
            switch (key.material, algorithm.family) {
            case (.rsa(let modulus, let exponent), .pkcs1):
                let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
                return isValid(signature, of: text, by: key, algorithm.hash, .insecurePKCS1v1_5)
            case (.rsa(let modulus, let exponent), .pss):
                let key = try _RSA.Signing.PublicKey(n: modulus, e: exponent)
                // RFC 7518, 3.5: the salt is as long as the hash, which also generates the mask; `.PSS` means just
                // this.
                return isValid(signature, of: text, by: key, algorithm.hash, .PSS)
            // RFC 7518, 3.4: each curve type hashes the text with its algorithm's hash, and a signature is R and S in
            // full length.
            case (.curve("P-256", let point), .ecdsa(curve: "P-256")):
                return try P256.Signing.PublicKey(rawRepresentation: point)
                    .isValidSignature(.init(rawRepresentation: signature), for: text)
            case (.curve("P-384", let point), .ecdsa(curve: "P-384")):
                return try P384.Signing.PublicKey(rawRepresentation: point)
                    .isValidSignature(.init(rawRepresentation: signature), for: text)
            case (.curve("P-521", let point), .ecdsa(curve: "P-521")):
                return try P521.Signing.PublicKey(rawRepresentation: point)
                    .isValidSignature(.init(rawRepresentation: signature), for: text)
            case (.curve("Ed25519", let point), .edwards):
                return try Curve25519.Signing.PublicKey(rawRepresentation: point)
                    .isValidSignature(signature, for: text)
            default:
                return false
            }
        } catch {
            return false
        }
    }

    /// Hashes the text before the call, because `_RSA` would hash it with SHA-256 for every algorithm.
    private static func isValid(
        _ signature: [UInt8],
        of text: [UInt8],
        by key: _RSA.Signing.PublicKey,
        _ hash: SignatureAlgorithm.Hash,
        _ padding: _RSA.Signing.Padding
    ) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return switch hash {
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: text), padding: padding)
        case .sha384: key.isValidSignature(signature, for: SHA384.hash(data: text), padding: padding)
        case .sha512: key.isValidSignature(signature, for: SHA512.hash(data: text), padding: padding)
        }
    }
}
