/// A JSON object that was scanned whole: its text, in which values are looked up when they are asked for.
///
/// The text was found sound when the object was made, so nothing here fails.
struct JSONObject: Sendable, Hashable {
    /// The text that holds it, perhaps among others.
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The object's own text.
    var text: ArraySlice<UInt8> { bytes[range] }

    /// Whether the text is UTF-8, as RFC 8259, 8.1 asks.
    var isUTF8: Bool {
        let text = bytes.span.extracting(range)
        var all: UInt8 = 0
        for index in text.indices { all |= text[index] }
        return all < 0x80 || String(validating: self.text, as: UTF8.self) != nil
    }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// A string that was found in the text.
    func string(_ token: JSONToken) -> String {
        JSONString.text(token, in: bytes.span.extracting(range))
    }

    /// A number that was found in the text.
    func double(_ token: JSONToken) -> Double {
        JSONNumber.double(token, in: bytes.span.extracting(range))
    }

    /// The strings of a list that was found in the text; nil where it is no list, or holds anything else.
    func strings(_ token: JSONToken) -> [String]? {
        guard token.kind == .array, case .array(let elements) = value(token) else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }

    /// Any value that was found in the text.
    func value(_ token: JSONToken) -> JSONValue {
        var scanner = JSONScanner(maximumDepth: .max)
        // A string's token begins behind its quote.
        scanner.move(to: token.isString ? token.start - 1 : token.start)
        return (try? scanner.read(in: bytes.span.extracting(range))) ?? .null
    }

    /// All members.
    var members: [String: JSONValue] {
        var scanner = JSONScanner(maximumDepth: .max)
        let text = bytes.span.extracting(range)
        guard scanner.isAtObject(in: text) else { return [:] }
        return (try? scanner.readObject(in: text)) ?? [:]
    }

    /// One member.
    subscript(name: String) -> JSONValue? {
        let text = bytes.span.extracting(range)
        var scanner = JSONScanner(maximumDepth: .max)
        guard scanner.isAtObject(in: text), (try? scanner.seek(name, in: text)) == true else { return nil }
        return try? scanner.read(in: text)
    }
}
