// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import TerminalOutput

/// The output of a result as one JSON object.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        Terminal.result(text.unicodeScalars.map { TerminalText.escaped($0) }.joined())
    }
}
