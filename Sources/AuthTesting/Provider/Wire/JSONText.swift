import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// JSON as a provider writes it: members by name, so that the same values are the same bytes.
enum JSONText {
    static func encode(_ members: [String: JSONValue]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Fails for an infinite number alone, which only a test's own fault could ask for.
        return (try? encoder.encode(members)).map { Array($0) } ?? []
    }
}

extension JSONValue {
    /// A list of strings.
    static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }

    /// A moment in whole seconds since 1970, as JWTs write it.
    static func numericDate(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970.rounded(.down))) }

    /// A span in whole seconds.
    static func seconds(_ span: Duration) -> JSONValue { .integer(span.components.seconds) }
}

extension Date {
    /// A later moment.
    func adding(_ span: Duration) -> Date { addingTimeInterval(span / .seconds(1)) }
}
