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

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
