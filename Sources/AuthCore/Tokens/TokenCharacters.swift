/// The character classes of RFC 6749, appendix A.
package enum TokenCharacters {
    /// `VSCHAR`: printable ASCII and space.
    package static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    /// Printable ASCII without the space: what can follow `Bearer ` in a header and stay one credential.
    package static func isVisibleWithoutSpace(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// `NQCHAR`, what a scope value is made of: printable ASCII without space, quote and backslash.
    package static func isScope(_ byte: UInt8) -> Bool {
        isVisibleWithoutSpace(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// `unreserved` of RFC 3986, the alphabet of a code verifier.
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

    /// base64url and the dot: the alphabet of a compact JWT.
    package static func isCompactJWT(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}
