// SPDX-License-Identifier: Apache-2.0

/// A JSON object that was scanned completely: its text, in which values are looked up on demand.
///
/// The text was validated before the object was created, so no lookup fails.
struct JSONObject: Sendable, Hashable {
    /// The text that contains the object, perhaps among others.
    private let bytes: [UInt8]
    private let range: Range<Int>

    init(_ bytes: [UInt8], in range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The object's own text.
    var text: ArraySlice<UInt8> { bytes[range] }

    /// Whether the text is UTF-8, as RFC 8259, 8.1 requires.
    var isUTF8: Bool {
        let text = bytes.span.extracting(range)
        var all: UInt8 = 0
        for index in text.indices { all |= text[index] }
        return all < 0x80 || String(validating: self.text, as: UTF8.self) != nil
    }

    static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Returns a string that was found in the text.
    func string(_ token: JSONToken) -> String {
        JSONString.text(token, in: bytes.span.extracting(range))
    }

    /// Returns a number that was found in the text.
    func double(_ token: JSONToken) -> Double {
        JSONNumber.double(token, in: bytes.span.extracting(range))
    }

    /// Returns the strings of a list that was found in the text; nil if it is not a list, or contains anything else.
    func strings(_ token: JSONToken) -> [String]? {
        guard token.kind == .array, case .array(let elements) = value(token) else { return nil }
        let strings = elements.compactMap(\.string)
        return strings.count == elements.count ? strings : nil
    }

    /// Returns any value that was found in the text.
    func value(_ token: JSONToken) -> JSONValue {
        var scanner = JSONScanner(maximumDepth: .max)
        // A string's token begins after its quote.
        scanner.move(to: token.isString ? token.start - 1 : token.start)
        return (try? scanner.read(in: bytes.span.extracting(range))) ?? .null
    }

    /// The values of all members, by name.
    var members: [String: JSONValue] {
        var scanner = JSONScanner(maximumDepth: .max)
        let text = bytes.span.extracting(range)
        guard scanner.isAtObject(in: text) else { return [:] }
        return (try? scanner.readObject(in: text)) ?? [:]
    }

    /// Returns one member's value.
    subscript(name: String) -> JSONValue? {
        let text = bytes.span.extracting(range)
        var scanner = JSONScanner(maximumDepth: .max)
        guard scanner.isAtObject(in: text), (try? scanner.seek(name, in: text)) == true else { return nil }
        return try? scanner.read(in: text)
    }
}
