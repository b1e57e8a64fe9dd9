/// How badly a code reads: the mask with the least is taken (7.8.3).
enum Penalty {
    static func of(_ grid: ModuleGrid) -> Int {
        let lines = grid.lines
        return lines.reduce(0) { $0 + runs(in: $1) + finders(in: $1) } + squares(in: grid) + imbalance(of: grid)
    }

    /// Five of a colour in a line: 3, and 1 for each further.
    static func runs(in line: [Bool]) -> Int {
        line.chunkedByEquality().reduce(0) { $0 + ($1 >= 5 ? $1 - 2 : 0) }
    }

    /// What looks like a corner's pattern, with light on one side of it: 40.
    ///
    /// Outside of the code it is light.
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

    /// Each square of two by two of a colour: 3.
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

    /// For each whole 5 % that the dark are more or fewer than half: 10.
    static func imbalance(of grid: ModuleGrid) -> Int {
        let all = grid.size * grid.size
        let dark = grid.lines.prefix(grid.size).reduce(0) { $0 + $1.count { $0 } }
        return 10 * (abs(2 * dark - all) * 10 / all)
    }
}

extension [Bool] {
    /// The lengths of what is the same in a row.
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
