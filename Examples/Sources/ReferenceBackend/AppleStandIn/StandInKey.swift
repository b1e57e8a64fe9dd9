// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An RSA key with which the stand-in signs.
package struct StandInKey: Sendable {
    /// The `kid` in the header of its tokens.
    package let id: String
    /// The private key.
    ///
    /// Secret.
    package let signingKey: SigningKey
    /// The modulus, encoded as base64url.
    package let modulus: String
    /// The exponent, encoded as base64url.
    package let exponent: String
    /// The public key in PEM form, which an attacker knows too.
    package let publicPEM: String

    /// Creates a key of 2048 bits.
    ///
    /// - Parameter id: Its `kid`, or nil for a random one.
    /// - Throws: `CryptoKitError` if the key can't be generated.
    package init(id: String? = nil) throws {
        self.id = id ?? Data(randomByteCount: 8).base64URL
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        signingKey = .rsa(key)
        let numbers = try key.publicKey.getKeyPrimitives()
        modulus = numbers.modulus.base64URL
        exponent = numbers.publicExponent.base64URL
        publicPEM = key.publicKey.pemRepresentation
    }

    /// Signs claims with RS256.
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - kid: The `kid` in the header, or nil for this key's.
    ///   - type: The `typ` in the header.
    /// - Returns: The compact JWS.
    /// - Throws: `CryptoKitError` if signing fails.
    package func sign(_ claims: some Encodable, kid: String? = nil, type: String = "JWT") throws -> String {
        try signingKey.sign(claims, kid: kid ?? id, type: type)
    }
}
