// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TerminalOutput

/// The rules of ISO/IEC 18004, 7.8.3, one by one.
@Suite struct PenaltyTests {
    private static func line(_ text: String) -> [Bool] { text.map { $0 == "#" } }

    @Test(arguments: [("####.#", 0), ("#####", 3), (".....#", 3), ("#######..", 5), ("#####.....", 6), ("", 0)])
    func `a run of five modules costs three, and each further module costs one`(line: String, penalty: Int) {
        #expect(Penalty.runs(in: Self.line(line)) == penalty)
    }

    @Test(arguments: [
        ("#....#.###.#", 40), ("#.###.#....#", 40), ("#.###.#", 40), ("#...#.###.#...#", 0), ("#....#.##..#....#", 0),
        ("#....#.###.#....#.###.#....#", 80), ("##.##.#", 0),
    ])
    func `a finder pattern beside light modules costs forty`(line: String, penalty: Int) {
        #expect(Penalty.finders(in: Self.line(line)) == penalty)
    }

    @Test func `each square of two by two costs three`() {
        var grid = ModuleGrid(size: 3)
        #expect(Penalty.squares(in: grid) == 12)
        grid[0, 0] = true
        #expect(Penalty.squares(in: grid) == 9)
        grid[1, 1] = true
        #expect(Penalty.squares(in: grid) == 0)
    }

    @Test(arguments: [(0, 100), (44, 10), (45, 10), (46, 0), (54, 0), (55, 10), (60, 20), (100, 100)])
    func `each five percent of deviation from half dark modules costs ten`(dark: Int, penalty: Int) {
        var grid = ModuleGrid(size: 10)
        for index in 0..<dark { grid[index / 10, index % 10] = true }
        #expect(Penalty.imbalance(of: grid) == penalty)
    }
}
