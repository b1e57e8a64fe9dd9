// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import ResourceServer

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Data {
    /// Creates bytes with the system's secure random generator.
    package init(randomByteCount count: Int) {
        self = SymmetricKey(size: SymmetricKeySize(bitCount: count * 8)).rawBytes
    }

    /// The bytes encoded as base64url without padding.
    ///
    /// [RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2).
    package var base64URL: String { Base64URL.encode(self) }

    /// Decodes base64url without padding, strictly: no other character, and a single encoding of each byte string.
    package init?(base64URL text: some StringProtocol) {
        guard let data = Base64URL.decode(text) else { return nil }
        self = data
    }

    /// The bytes encoded as standard base64 without padding, as in PHC strings.
    var unpaddedBase64: String {
        base64EncodedString().replacing("=", with: "")
    }

    /// Decodes standard base64 without padding.
    init?(unpaddedBase64 text: String) {
        self.init(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
    }
}

extension SymmetricKey {
    /// The key's bytes.
    ///
    /// Secret.
    var rawBytes: Data {
        unsafe withUnsafeBytes { unsafe Data($0) }
    }
}

extension Sequence<UInt8> {
    /// The bytes in hexadecimal, two lower-case digits each.
    package var lowercaseHex: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
