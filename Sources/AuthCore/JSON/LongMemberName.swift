// SPDX-License-Identifier: Apache-2.0

/// A check for member names that would make decoding of a JSON text too slow.
///
/// `JSONDecoder` keeps members in a dictionary, which hashes a name as characters: in quadratic time for long runs of
/// combining marks, eleven seconds for a quarter of a megabyte.
package enum LongMemberName {
    /// The length limit of a name that is not plain ASCII, in bytes.
    private static let longest = 1_024

    /// Returns whether a text may contain such a name, or has an encoding in which the check finds no names.
    ///
    /// Takes linear time. The decoder refuses a text that is not JSON, but accepts UTF-16 and UTF-32. Quotes and
    /// brackets contain NUL bytes in these, but not in UTF-8, which JSON from a server MUST be.
    /// [RFC 8259, 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1).
    ///
    /// - Parameter text: The text. Untrusted.
    /// - Returns: True if the text may contain one.
    package static func mayOccur(in text: [UInt8]) -> Bool {
        if text.contains(0) { return true }
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

    /// Returns the position of the closing quote, and whether the string is ASCII without escapes.
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
