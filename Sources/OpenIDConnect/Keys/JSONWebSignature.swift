import AuthCore
import JWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signature in the compact form, and whether a key has made it.
///
/// Which key and which algorithm is decided by who calls, never by the token.
/// [RFC 7515, 5.2](https://www.rfc-editor.org/rfc/rfc7515#section-5.2).
enum JSONWebSignature {
    /// Whether a token's signature is a key's.
    ///
    /// - Parameters:
    ///   - compact: The token, already found to be three parts of base64url.
    ///   - key: The provider's.
    ///   - algorithm: The one that the token says and that was found allowed for it.
    /// - Returns: False also where the key is none on its curve, or the signature of another length.
    static func isValid(_ compact: String, by key: JSONWebKey, with algorithm: SignatureAlgorithm) async -> Bool {
        guard let dot = compact.utf8.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(compact.utf8[compact.utf8.index(after: dot)...])
        else { return false }
        do {
            // A collection of this one key, so that no other can be taken in its place.
            let verifier = try await collection(of: key, for: algorithm).getKey()
            return try verifier.verify(signature, signs: Array(compact.utf8[..<dot]))
        } catch {
            return false
        }
    }

    private static func collection(
        of key: JSONWebKey,
        for algorithm: SignatureAlgorithm
    ) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        switch (key.material, algorithm.family) {
        case (.rsa(let modulus, let exponent), .pkcs1):
            let rsa = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            return await keys.add(rsa: rsa, digestAlgorithm: algorithm.hash.digest)
        case (.rsa(let modulus, let exponent), .pss):
            let rsa = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            return await keys.add(pss: rsa, digestAlgorithm: algorithm.hash.digest)
        case (.curve("P-256", let x, let y?), .ecdsa):
            return await keys.add(ecdsa: try ES256PublicKey(parameters: (x, y)))
        case (.curve("P-384", let x, let y?), .ecdsa):
            return await keys.add(ecdsa: try ES384PublicKey(parameters: (x, y)))
        case (.curve("P-521", let x, let y?), .ecdsa):
            return await keys.add(ecdsa: try ES512PublicKey(parameters: (x, y)))
        case (.curve("Ed25519", let x, _), .edwards):
            return await keys.add(eddsa: try EdDSA.PublicKey(x: x, curve: .ed25519))
        default:
            throw IDTokenError(.unknownKey)
        }
    }
}

extension SignatureAlgorithm.Hash {
    fileprivate var digest: DigestAlgorithm {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
