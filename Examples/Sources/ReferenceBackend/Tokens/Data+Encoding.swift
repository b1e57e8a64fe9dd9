// SPDX-License-Identifier: Apache-2.0

internal import Crypto

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
    package var base64URL: String {
        unpaddedBase64.replacing("+", with: "-").replacing("/", with: "_")
    }

    /// Decodes base64url without padding, strictly: no other character, and a single encoding of each byte string.
    package init?(base64URL text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.allSatisfy(Self.isBase64URL) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(unpaddedBase64: standard), data.base64URL == text else { return nil }
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

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
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
