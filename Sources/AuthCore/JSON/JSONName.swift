/// The name of an object's member: where it lies, and how it begins, by which most names are told apart.
struct JSONName {
    let token: JSONToken
    /// Its first eight bytes, the first in the lowest bits, with zeros behind a shorter one.
    ///
    /// Zero where the name is written with escapes or is not ASCII, so that its bytes are not its characters.
    let beginning: UInt64

    private init(_ token: JSONToken, beginning: UInt64) {
        self.token = token
        self.beginning = beginning
    }

    /// The longest name, in bytes, that is compared as characters are.
    ///
    /// That takes the square of the time where many accents stand in a row. No provider's name comes near it.
    private static let longest = 256

    /// Scans a name whose opening quote is next.
    @inline(__always)
    static func scan(_ text: Span<UInt8>, at position: inout Int) throws(JSONFault) -> JSONName {
        let start = position + 1
        // Most names are short: one look finds where they end, and is their beginning.
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
        // The same number, put together at the text's end, where there are not eight bytes any more.
        var number: UInt64 = 0
        for offset in (0..<min(count, 8)).reversed() { number = number << 8 | UInt64(text[token.start + offset]) }
        return number
    }

    /// How many bytes it takes in the text.
    @inline(__always)
    var count: Int { token.end &- token.start }

    /// Whether two names of one text are the same, however they are written.
    ///
    /// As `String` compares: two spellings of one accented letter are taken for the same name, for a dictionary could
    /// not hold them apart either. To RFC 7515, 5.3 they are two; such a token is refused as naming a member twice.
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
