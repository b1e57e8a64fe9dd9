// SPDX-License-Identifier: Apache-2.0

/// The check of a JSON text before Foundation decodes it.
enum JSONBody {
    /// Returns whether a text has a name of more than 1,024 bytes that is not plain ASCII, or is UTF-16 or UTF-32.
    ///
    /// `JSONDecoder` hashes names as characters: in quadratic time for long runs of combining marks. It refuses what is
    /// not JSON, but reads UTF-16 and UTF-32, in which quotes are beside NUL bytes. JSON from a server MUST be UTF-8:
    /// [RFC 8259, 8.1](https://www.rfc-editor.org/rfc/rfc8259#section-8.1). Takes linear time.
    static func hasLongName(_ text: [UInt8]) -> Bool {
        if text.contains(0) { return true }
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            var (end, isPlain) = (start + 1, true)
            while end < text.count, text[end] != UInt8(ascii: "\"") {
                let isEscape = text[end] == UInt8(ascii: "\\")
                if isEscape || text[end] >= 0x80 { isPlain = false }
                end += isEscape ? 2 : 1
            }
            guard end < text.count else { return false }
            rest = text[(end + 1)...]
            if !isPlain, end - start > 1_024,
                rest.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: ":")
            {
                return true
            }
        }
        return false
    }
}
