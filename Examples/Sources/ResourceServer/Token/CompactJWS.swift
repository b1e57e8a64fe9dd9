// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A signed token in the compact form, whose signature is not yet verified.
///
/// [RFC 7515, 3.1](https://www.rfc-editor.org/rfc/rfc7515#section-3.1).
package struct CompactJWS: Sendable {
    /// The header.
    package struct Header: Decodable, Sendable {
        package let alg: String
        package let kid: String?
        let typ: String?
        let crit: [String]?
        /// The key of a DPoP proof.
        let jwk: JWK?
    }

    /// The maximum length of a token, in bytes.
    static let maximumLength = 16_384

    package let header: Header
    /// The claims, which are trusted only after the signature is verified.
    package let payload: Data
    package let signature: Data
    /// The bytes that are signed.
    package let signingInput: Data

    /// Decodes a token; returns nil if it is too long, malformed, has too much text beyond ASCII, or a critical header
    /// parameter.
    ///
    /// None is understood here, so a token with one is invalid:
    /// [RFC 7515, 4.1.11](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.11).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), !TextLimit.isExceeded(by: head),
            !TextLimit.isExceeded(by: payload),
            let header = try? JSONDecoder().decode(Header.self, from: head), header.crit == nil
        else { return nil }
        self.header = header
        self.payload = payload
        self.signature = signature
        signingInput = Data("\(parts[0]).\(parts[1])".utf8)
    }
}
