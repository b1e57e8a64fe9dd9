import FoundationEssentials

/// A result as one JSON object.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        Terminal.result(text.unicodeScalars.map(escaped).joined())
    }

    /// What drives a terminal or turns the writing round, in an escape; the line breaks between members stay.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control where scalar != "\n", .format, .lineSeparator, .paragraphSeparator:
            scalar.utf16.map { unit in "\\u" + String(String(0x10000 + Int(unit), radix: 16).dropFirst()) }.joined()
        default: String(scalar)
        }
    }
}
