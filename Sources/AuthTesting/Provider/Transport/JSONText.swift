// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The provider's JSON encoding, with members sorted by name, so that equal values have equal bytes.
enum JSONText {
    static func encode(_ members: [String: JSONValue]) -> [UInt8] {
        // Fails only for an infinite number, which only a test's own fault can contain.
        (try? JSONValue.text(of: members)) ?? []
    }
}

extension JSONValue {
    /// Returns a list of strings.
    static func strings(_ values: some Sequence<String>) -> JSONValue { .array(values.map { .string($0) }) }

    /// Returns a date in whole seconds since 1970, as in a JWT.
    static func numericDate(_ date: Date) -> JSONValue { .integer(Int64(date.timeIntervalSince1970.rounded(.down))) }

    /// Returns a span in whole seconds.
    static func seconds(_ span: Duration) -> JSONValue { .integer(span.components.seconds) }
}

extension Date {
    /// Returns a date that is later by a span.
    func adding(_ span: Duration) -> Date { addingTimeInterval(span / .seconds(1)) }
}
