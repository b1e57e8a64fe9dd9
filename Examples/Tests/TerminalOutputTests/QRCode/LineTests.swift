// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalOutput

@Suite struct LineTests {
    private static let sets = "\u{1B}[38;5;16;48;5;231m"
    private static let resets = "\u{1B}[0m"

    /// Returns the modules that lines show, row by row; true for a module that is drawn with ink.
    private static func inked(_ lines: [String]) -> [[Bool]] {
        lines.flatMap { line in
            [line.map { "█▀".contains($0) }, line.map { "█▄".contains($0) }]
        }
    }

    private static func expected(_ code: QRCode) -> [[Bool]] {
        let side = Array(repeating: false, count: 4)
        let edge = Array(repeating: Array(repeating: false, count: code.width), count: 4)
        return edge + code.modules.lines.prefix(code.modules.size).map { side + $0 + side } + edge
    }

    /// The number of modules is odd, so below the last row there is one more, light row.
    @Test(arguments: ["a", "https://login.example/device?user_code=WDJB-MJHT"])
    func `colour output draws dark modules black on white with a border of four light modules`(text: String) throws {
        let code = try #require(QRCode(text))
        let lines = code.lines(.colours)
        #expect(lines.allSatisfy { $0.hasPrefix(Self.sets) && $0.hasSuffix(Self.resets) })
        let shown = Self.inked(lines.map { String($0.dropFirst(Self.sets.count).dropLast(Self.resets.count)) })
        #expect(shown.dropLast() == Self.expected(code)[...])
        #expect(shown.last?.contains(true) == false)
    }

    @Test func `block output draws only the light modules`() throws {
        let code = try #require(QRCode("https://login.example/device?user_code=WDJB-MJHT"))
        let lines = code.lines(.blocks)
        #expect(lines.allSatisfy { $0.count == code.width && $0.allSatisfy("█▀▄ ".contains) })
        #expect(Self.inked(lines).dropLast().map { $0.map { !$0 } } == Self.expected(code))
    }
}
