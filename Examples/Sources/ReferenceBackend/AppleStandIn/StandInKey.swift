internal import CryptoExtras
internal import JWTKit

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An RSA key that the stand-in signs with.
package struct StandInKey: Sendable {
    /// The `kid` its tokens name.
    package let id: String
    let privateKey: JWTKit.Insecure.RSA.PrivateKey
    /// The modulus in base64url.
    package let modulus: String
    /// The exponent in base64url.
    package let exponent: String
    /// The public key in PEM form, which an attacker has too.
    package let publicPEM: String

    /// Makes a key of 2048 bits.
    ///
    /// - Parameter id: Its `kid`; random when `nil`.
    /// - Throws: `CryptoKitError` where no key can be made.
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
    ///   - kid: The key the header names; this one when `nil`.
    ///   - critical: Header members that a reader must understand, each of them there as `true`; usually none.
    /// - Returns: The compact JWS.
    /// - Throws: `JWTError` where signing fails.
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
