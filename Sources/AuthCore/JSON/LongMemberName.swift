/// Member names of a JSON text that take a dictionary too long.
///
/// `JSONDecoder` keeps members in a dictionary, which hashes a name as characters: the square of the time if many accents
/// stand in a row, eleven seconds for a quarter of a megabyte.
package enum LongMemberName {
    /// The longest name, in bytes, that is not plain ASCII.
    private static let longest = 1_024

    /// Looks for such a name.
    ///
    /// Linear in the text's length. What is no JSON is left to the decoder.
    ///
    /// - Parameter text: The text in UTF-8. From outside.
    /// - Returns: Whether there is one.
    package static func isIn(_ text: [UInt8]) -> Bool {
        guard text.count > longest else { return false }
        let text = text.span
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "\"") else {
                position += 1
                continue
            }
            let (end, isPlain) = endOfString(in: text, from: position + 1)
            if !isPlain, end - position > longest, isName(before: end, in: text) { return true }
            position = end + 1
        }
        return false
    }

    /// Returns the place of the closing quote, and whether each byte before it stands for itself.
    private static func endOfString(in text: Span<UInt8>, from start: Int) -> (end: Int, isPlain: Bool) {
        var (position, isPlain) = (start, true)
        while position < text.count, text[position] != UInt8(ascii: "\"") {
            let isEscape = text[position] == UInt8(ascii: "\\")
            if isEscape || text[position] >= 0x80 { isPlain = false }
            position += isEscape ? 2 : 1
        }
        return (position, isPlain)
    }

    /// Returns whether a colon follows a closing quote.
    private static func isName(before quote: Int, in text: Span<UInt8>) -> Bool {
        var position = quote + 1
        while position < text.count {
            switch text[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return text[position] == UInt8(ascii: ":")
            }
        }
        return false
    }
}
