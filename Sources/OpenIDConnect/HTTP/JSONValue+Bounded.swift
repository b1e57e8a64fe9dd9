// SPDX-License-Identifier: Apache-2.0

import AuthCore

extension JSONValue {
    /// The value, with null in place of each text that takes quadratic time to compare.
    ///
    /// Null, not a shorter text: two identifiers must not become one.
    var bounded: JSONValue {
        switch self {
        case .string(let text) where text.isSlowToCompare: .null
        case .array(let elements): .array(elements.map(\.bounded))
        case .object(let members): .object(members.mapValues(\.bounded))
        default: self
        }
    }
}

extension String {
    /// The length up to which any text compares fast enough, in bytes.
    private static let shortLength = 1_024
    /// The number of combining marks in a row that no language exceeds.
    ///
    /// [UAX #15, 13](https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
    private static let longestRun = 30

    /// Whether the text is long and has more combining marks in a row than any language writes.
    ///
    /// `==` and `hash` sort such marks, each time: 16 seconds for a quarter of a megabyte.
    fileprivate var isSlowToCompare: Bool {
        guard utf8.count > Self.shortLength, !utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        var run = 0
        return unicodeScalars.contains { scalar in
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            return run > Self.longestRun
        }
    }
}
