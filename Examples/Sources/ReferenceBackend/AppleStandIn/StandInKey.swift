// SPDX-License-Identifier: Apache-2.0

internal import CryptoExtras
internal import JWTKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An RSA key with which the stand-in signs.
package struct StandInKey: Sendable {
    /// The `kid` in the header of its tokens.
    package let id: String
    let privateKey: JWTKit.Insecure.RSA.PrivateKey
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
        privateKey = try JWTKit.Insecure.RSA.PrivateKey(backing: key)
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
    ///   - critical: The names in the `crit` header, each also added as a member with the value `true`. Usually empty.
    /// - Returns: The compact JWS.
    /// - Throws: `JWTError` if signing fails.
    package func sign(_ claims: StandInClaims, kid: String? = nil, critical: [String] = []) async throws -> String {
        var header = JWTHeader()
        header.kid = kid ?? id
        if !critical.isEmpty { header.crit = critical }
        for name in critical { header.fields[name] = .bool(true) }
        return try await JWTKeyCollection()
            .add(rsa: privateKey, digestAlgorithm: .sha256)
            .sign(claims, header: header)
    }
}
