// SPDX-License-Identifier: Apache-2.0

/// Comparison and trimming of untrusted text, byte by byte.
///
/// `String` compares characters, in quadratic time for long runs of combining marks.
package enum ASCIIText {
    /// Returns whether two texts are equal, ignoring the case of ASCII letters.
    package static func equalIgnoringCase(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.elementsEqual(right) { lowercased($0) == lowercased($1) }
    }

    /// Returns a text without the spaces, tabs and line breaks around it.
    package static func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ text: Bytes) -> Bytes.SubSequence {
        guard let start = text.firstIndex(where: { !isSpace($0) }), let end = text.lastIndex(where: { !isSpace($0) })
        else { return text[text.endIndex...] }
        return text[start...end]
    }

    /// Returns a byte in lower case if it is an ASCII letter.
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// Whether a byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// The character classes of RFC 6749, appendix A.
package enum TokenCharacters {
    /// Whether a byte is a `VSCHAR`: printable ASCII or the space.
    package static func isVisible(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

    /// Whether a byte is printable ASCII other than the space.
    ///
    /// Such bytes can follow `Bearer ` in a header field and stay one credential.
    package static func isVisibleWithoutSpace(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    /// Whether a byte is an `NQCHAR`, allowed in a scope value: printable ASCII but space, quote and backslash.
    package static func isScope(_ byte: UInt8) -> Bool {
        isVisibleWithoutSpace(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// Whether a byte is `unreserved` in RFC 3986, the alphabet of a code verifier.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || ASCIIText.isDigit(byte) || "-._~".utf8.contains(byte)
    }

    /// Whether a byte can stand in a compact JWT: base64url or the dot.
    package static func isCompactJWT(_ byte: UInt8) -> Bool {
        isUnreserved(byte) && byte != UInt8(ascii: "~")
    }
}

extension Unicode.Scalar {
    /// Whether the character may be shown within a line.
    ///
    /// False for control and format characters, line breaks, and code points without an assigned meaning.
    package var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
