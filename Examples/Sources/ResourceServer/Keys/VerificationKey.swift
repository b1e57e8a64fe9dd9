// SPDX-License-Identifier: Apache-2.0

package import Crypto
internal import CryptoExtras

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A public key, which verifies signatures of a single algorithm.
///
/// A token can thus not choose another algorithm, such as an HMAC with the public key as its secret.
package struct VerificationKey: Sendable {
    private enum Backing: Sendable {
        case p256(P256.Signing.PublicKey)
        case rsa(_RSA.Signing.PublicKey)
    }

    /// The accepted algorithms: [RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1).
    static let algorithms: Set<String> = ["ES256", "RS256"]

    private let backing: Backing

    /// Creates a key for ES256.
    package init(_ key: P256.Signing.PublicKey) { backing = .p256(key) }

    /// Creates a key; returns nil if it is of another kind, malformed, or shorter than 2048 bits of RSA.
    init?(_ jwk: JWK) {
        switch jwk.kty {
        case "EC":
            guard jwk.crv == "P-256", let x = jwk.x.flatMap({ Base64URL.decode($0) }), x.count == 32,
                let y = jwk.y.flatMap({ Base64URL.decode($0) }), y.count == 32,
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            backing = .p256(key)
        case "RSA":
            guard let n = jwk.n.flatMap({ Base64URL.decode($0) }), n.count <= 1_024,
                let e = jwk.e.flatMap({ Base64URL.decode($0) }), (1...4).contains(e.count),
                let key = try? _RSA.Signing.PublicKey(n: n, e: e)
            else { return nil }
            backing = .rsa(key)
        default: return nil
        }
    }

    /// The algorithm of the signatures.
    var algorithm: String {
        switch backing {
        case .p256: "ES256"
        case .rsa: "RS256"
        }
    }

    /// Returns whether a token names this key's algorithm and is signed with this key.
    package func isValidSignature(of jws: CompactJWS) -> Bool {
        guard jws.header.alg == algorithm else { return false }
        switch backing {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: jws.signature) else {
                return false
            }
            return key.isValidSignature(signature, for: jws.signingInput)
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: jws.signature)
            return key.isValidSignature(signature, for: jws.signingInput, padding: .insecurePKCS1v1_5)
        }
    }
}
