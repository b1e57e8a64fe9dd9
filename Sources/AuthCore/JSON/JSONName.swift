// SPDX-License-Identifier: Apache-2.0

/// A member's name within a text: its position, and its first bytes, by which most names are distinguished.
struct JSONName {
    let token: JSONToken
    /// The first eight bytes, the first in the lowest bits, padded with zeros.
    ///
    /// Zero if the name contains escapes or is not ASCII, so that its bytes are not its characters.
    let beginning: UInt64

    private init(_ token: JSONToken, beginning: UInt64) {
        self.token = token
        self.beginning = beginning
    }

    /// The longest name, in bytes, that is compared by characters.
    ///
    /// That comparison takes quadratic time if the name has many combining accents in a row. No provider's name is
    /// nearly as long.
    private static let longest = 256

    /// Scans a name whose opening quote is next.
    @inline(__always)
    static func scan(_ text: Span<UInt8>, at position: inout Int) throws(JSONError) -> JSONName {
        let start = position + 1
        // Most names are short: one read finds the end of the name, and contains all of it.
        if let bytes = EightBytes(text, at: start), bytes.plainCount < 8,
            text[start + bytes.plainCount] == UInt8(ascii: "\"")
        {
            let end = start + bytes.plainCount
            position = end + 1
            return JSONName(
                JSONToken(kind: .plainString, start: start, end: end),
                beginning: bytes.prefix(bytes.plainCount)
            )
        }
        let token = try JSONString.scan(text, at: &position)
        guard token.kind == .plainString || token.end - token.start <= longest else { throw .nameTooLong }
        return JSONName(token, beginning: token.kind == .plainString ? Self.beginning(token, text) : 0)
    }

    private static func beginning(_ token: JSONToken, _ text: Span<UInt8>) -> UInt64 {
        let count = token.end &- token.start
        if let bytes = EightBytes(text, at: token.start) { return bytes.prefix(count) }
        // The same number, built byte by byte near the text's end, where fewer than eight bytes are left.
        var number: UInt64 = 0
        for offset in (0..<min(count, 8)).reversed() { number = number << 8 | UInt64(text[token.start + offset]) }
        return number
    }

    /// The name's length in the text, in bytes.
    @inline(__always)
    var count: Int { token.end &- token.start }

    /// Whether two names of one text are the same, however they are escaped.
    ///
    /// Compares as `String` does: two spellings of one accented letter count as the same name, because a dictionary
    /// couldn't distinguish them either. By RFC 7515, 5.3 they differ. A token with both is refused for a duplicate
    /// member.
    @inline(__always)
    static func equal(_ left: JSONName, _ right: JSONName, in text: Span<UInt8>) -> Bool {
        guard left.token.kind == .plainString, right.token.kind == .plainString else {
            return JSONString.text(left.token, in: text) == JSONString.text(right.token, in: text)
        }
        guard left.beginning == right.beginning, left.count == right.count else { return false }
        return (min(left.count, 8)..<left.count).allSatisfy { offset in
            text[left.token.start + offset] == text[right.token.start + offset]
        }
    }
}
