// SPDX-License-Identifier: Apache-2.0

package import Crypto
package import CryptoExtras

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A key that signs tokens of this backend or its stand-in for Apple, with a single algorithm.
///
/// Secret. [RFC 7518, 3.1](https://www.rfc-editor.org/rfc/rfc7518#section-3.1).
package enum SigningKey: Sendable {
    /// HS256.
    case hmac(SymmetricKey)
    /// ES256.
    case p256(P256.Signing.PrivateKey)
    /// RS256.
    case rsa(_RSA.Signing.PrivateKey)

    private var algorithm: String {
        switch self {
        case .hmac: "HS256"
        case .p256: "ES256"
        case .rsa: "RS256"
        }
    }

    /// Signs claims.
    ///
    /// - Parameters:
    ///   - claims: The payload.
    ///   - kid: The `kid` in the header; nil for none.
    ///   - type: The `typ` in the header.
    /// - Returns: The compact JWS.
    /// - Throws: `CryptoKitError` if signing fails.
    package func sign(_ claims: some Encodable, kid: String? = nil, type: String = "JWT") throws -> String {
        let encoder = JSONEncoder()
        // Sorted, so that equal claims have equal bytes, and a repeated refresh gets the same response.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var header = ["alg": algorithm, "typ": type]
        header["kid"] = kid
        let input = try encoder.encode(header).base64URL + "." + encoder.encode(claims).base64URL
        return try input + "." + signature(of: Data(input.utf8)).base64URL
    }

    /// Returns the signature of bytes.
    ///
    /// - Throws: `CryptoKitError` if signing fails.
    package func signature(of bytes: Data) throws -> Data {
        switch self {
        case .hmac(let key): Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        case .p256(let key): try key.signature(for: bytes).rawRepresentation
        case .rsa(let key): try key.signature(for: bytes, padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }
}
