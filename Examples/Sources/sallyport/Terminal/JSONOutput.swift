import FoundationEssentials

/// A result as one JSON object.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        Terminal.result(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
