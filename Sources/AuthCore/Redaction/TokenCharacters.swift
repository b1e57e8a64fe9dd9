// SPDX-License-Identifier: Apache-2.0

/// The character classes of RFC 6749, appendix A.
package enum TokenCharacters {
    /// Whether a byte is a `VSCHAR`: printable ASCII or the space.
    package static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    /// Whether a byte is printable ASCII other than the space.
    ///
    /// Such bytes can follow `Bearer ` in a header field and stay one credential.
    package static func isVisibleWithoutSpace(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// Whether a byte is an `NQCHAR`, allowed in a scope value.
    ///
    /// These are printable ASCII other than space, quote and backslash.
    package static func isScope(_ byte: UInt8) -> Bool {
        isVisibleWithoutSpace(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether a byte is `unreserved` in RFC 3986, the alphabet of a code verifier.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether a byte can stand in a compact JWT: base64url or the dot.
    package static func isCompactJWT(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}
