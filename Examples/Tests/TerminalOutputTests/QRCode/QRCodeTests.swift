// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import TerminalOutput

@Suite struct QRCodeTests {
    private static let capacities: [(QRCode.Correction, [Int])] = [
        (.low, [17, 32, 53, 78, 106, 134, 154, 192, 230, 271]),
        (.medium, [14, 26, 42, 62, 84, 106, 122, 152, 180, 213]),
    ]

    @Test(arguments: try CodeVector.all())
    func `a code equals the one that another program makes`(vector: CodeVector) throws {
        let mask = try #require(Mask(rawValue: vector.input.mask))
        let code = try #require(QRCode(vector.input.text, correction: vector.correction, mask: mask))
        #expect(code.version == vector.expect.version)
        #expect(code.modules.rows == vector.expect.rows)
    }

    @Test func `the vectors cover each version and each mask`() throws {
        let all = try CodeVector.all()
        #expect(all.map(\.expect.version).sorted() == Array(1...10))
        #expect(Set(all.map(\.input.mask)) == Set(0...7))
    }

    @Test(arguments: capacities)
    func `the version is the smallest that holds the text`(correction: QRCode.Correction, longest: [Int]) {
        for (index, count) in longest.enumerated() {
            let text = String(repeating: "a", count: count)
            let (held, above) = (
                QRCode(text, correction: correction, mask: .pattern000),
                QRCode(text + "a", correction: correction, mask: .pattern000)
            )
            #expect(held?.version == index + 1)
            #expect(above?.version == (index < 9 ? index + 2 : nil))
        }
    }

    @Test func `an empty text makes a code of version 1`() {
        #expect(QRCode("")?.version == 1)
    }

    @Test func `the mask is the one with the least penalty`() throws {
        let text = "https://login.example/device?user_code=WDJB-MJHT"
        let all = try Mask.allCases.map { try #require(QRCode(text, mask: $0)).modules }
        let penalties = all.map(Penalty.of)
        let chosen = try #require(QRCode(text)).modules
        #expect(Penalty.of(chosen) == penalties.min())
        #expect(Set(penalties).count > 1)
    }
}

extension ModuleGrid {
    /// The rows as text; dark modules are `#`.
    fileprivate var rows: [String] {
        lines.prefix(size).map { row in String(row.map { $0 ? "#" : "." as Character }) }
    }
}
