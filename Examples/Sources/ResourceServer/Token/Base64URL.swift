// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The base64url encoding without padding.
///
/// [RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2).
package enum Base64URL {
    /// Returns the encoded bytes.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Decodes strictly: no other character, and a single encoding of each byte string.
    package static func decode(_ text: some StringProtocol) -> Data? {
        let text = String(text)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard + padding), encode(data) == text else { return nil }
        return data
    }
}
