// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import TerminalOutput

/// A QR code that another program made: `Vectors/codes.json`.
struct CodeVector: Decodable, Sendable, CustomStringConvertible {
    struct Input: Decodable, Sendable {
        let text: String
        let correction: String
        let mask: Int
    }

    struct Expectation: Decodable, Sendable {
        let version: Int
        let rows: [String]
    }

    let comment: String
    let input: Input
    let expect: Expectation

    var description: String { comment }

    var correction: QRCode.Correction { input.correction == "L" ? .low : .medium }

    static func all() throws -> [CodeVector] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/codes.json")
        return try JSONDecoder().decode([Self].self, from: Data(contentsOf: file))
    }
}
