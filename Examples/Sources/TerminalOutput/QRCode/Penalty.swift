// SPDX-License-Identifier: Apache-2.0

/// The penalty of a code.
///
/// The mask with the lowest penalty is chosen (7.8.3).
enum Penalty {
    static func of(_ grid: ModuleGrid) -> Int {
        let lines = grid.lines
        return lines.reduce(0) { $0 + runs(in: $1) + finders(in: $1) } + squares(in: grid) + imbalance(of: grid)
    }

    /// The penalty for runs: 3 for five modules of one colour in a line, and 1 for each further module.
    static func runs(in line: [Bool]) -> Int {
        line.chunkedByEquality().reduce(0) { $0 + ($1 >= 5 ? $1 - 2 : 0) }
    }

    /// The penalty for sequences like a finder pattern with a light side: 40 each.
    ///
    /// Modules outside the code count as light.
    static func finders(in line: [Bool]) -> Int {
        guard line.count >= pattern.count else { return 0 }
        return (0...line.count - pattern.count).reduce(0) { sum, start in
            let end = start + pattern.count
            guard Array(line[start..<end]) == pattern else { return sum }
            let isAlone = !line[max(0, start - 4)..<start].contains(true) || !line[end...].prefix(4).contains(true)
            return sum + (isAlone ? 40 : 0)
        }
    }

    private static let pattern = [true, false, true, true, true, false, true]

    /// The penalty for squares of two by two modules of one colour: 3 each.
    static func squares(in grid: ModuleGrid) -> Int {
        var count = 0
        for row in 1..<grid.size {
            for column in 1..<grid.size {
                let corner = grid[row, column]
                let others = [grid[row - 1, column - 1], grid[row - 1, column], grid[row, column - 1]]
                if others.allSatisfy({ $0 == corner }) { count += 1 }
            }
        }
        return 3 * count
    }

    /// The penalty for imbalance: 10 for each full 5 % that the dark modules deviate from half.
    static func imbalance(of grid: ModuleGrid) -> Int {
        let all = grid.size * grid.size
        let dark = grid.lines.prefix(grid.size).reduce(0) { $0 + $1.count { $0 } }
        return 10 * (abs(2 * dark - all) * 10 / all)
    }
}

extension [Bool] {
    /// Returns the lengths of the runs of equal modules in a line.
    fileprivate func chunkedByEquality() -> [Int] {
        var lengths: [Int] = []
        var last: Bool?
        for element in self {
            if element == last { lengths[lengths.count - 1] += 1 } else { lengths.append(1) }
            last = element
        }
        return lengths
    }
}
