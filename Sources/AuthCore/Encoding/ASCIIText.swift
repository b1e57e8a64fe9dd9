/// Comparison and trimming of text from outside, byte by byte.
///
/// `String` walks and compares characters, and takes the square of the time if many accents or flags stand in a row: a
/// quarter of a megabyte of them keeps a processor busy for seconds.
package enum ASCIIText {
    /// Returns whether two texts are the same, whatever the case of their ASCII letters is.
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
