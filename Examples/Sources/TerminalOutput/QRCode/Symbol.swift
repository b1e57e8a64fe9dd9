// SPDX-License-Identifier: Apache-2.0

/// A code before its mask: the finder, timing and alignment patterns, and the codewords.
struct Symbol {
    private var grid: ModuleGrid
    /// The modules outside the codewords; no mask changes them.
    private var reserved: ModuleGrid

    init(version: CodeVersion, codewords: [UInt8]) {
        grid = ModuleGrid(size: version.size)
        reserved = grid
        addFinders()
        addTiming()
        addAlignment(version)
        addVersion(version)
        addFormat(0)
        lay(codewords)
    }

    /// Returns the complete code under a mask.
    func modules(mask: Mask, _ correction: QRCode.Correction) -> ModuleGrid {
        var symbol = self
        for row in 0..<grid.size {
            for column in 0..<grid.size where !reserved[row, column] && mask.inverts(row, column) {
                symbol.grid[row, column].toggle()
            }
        }
        symbol.addFormat(CodeInformation.format(mask: mask, correction))
        return symbol.grid
    }

    private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
        grid[row, column] = isDark
        reserved[row, column] = true
    }

    /// Draws the finder pattern in three corners: a square in two rings and a light border (6.3.3, 6.3.4).
    private mutating func addFinders() {
        let last = grid.size - 1
        for (centerRow, centerColumn) in [(3, 3), (3, last - 3), (last - 3, 3)] {
            for row in max(0, centerRow - 4)...min(last, centerRow + 4) {
                for column in max(0, centerColumn - 4)...min(last, centerColumn + 4) {
                    let ring = max(abs(row - centerRow), abs(column - centerColumn))
                    set(row, column, ring != 2 && ring != 4)
                }
            }
        }
    }

    /// Draws the dotted timing patterns between the corners (6.3.5).
    private mutating func addTiming() {
        for index in 8..<grid.size - 8 {
            set(6, index, index.isMultiple(of: 2))
            set(index, 6, index.isMultiple(of: 2))
        }
    }

    /// Draws the alignment patterns at every crossing except those in the three corners (6.3.6).
    private mutating func addAlignment(_ version: CodeVersion) {
        guard let first = version.alignment.first, let last = version.alignment.last else { return }
        let corners = [[first, first], [first, last], [last, first]]
        for centerRow in version.alignment {
            for centerColumn in version.alignment where !corners.contains([centerRow, centerColumn]) {
                for row in centerRow - 2...centerRow + 2 {
                    for column in centerColumn - 2...centerColumn + 2 {
                        set(row, column, max(abs(row - centerRow), abs(column - centerColumn)) != 1)
                    }
                }
            }
        }
    }

    /// Draws the version above the lower left corner and left of the upper right one, from version 7 on (7.10).
    private mutating func addVersion(_ version: CodeVersion) {
        guard version.number >= 7 else { return }
        let bits = CodeInformation.version(version.number)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (along, across) = (index / 3, grid.size - 11 + index % 3)
            set(along, across, isDark)
            set(across, along, isDark)
        }
    }

    /// Draws the format twice: around the upper left corner, and divided between the other two (7.9.1).
    private mutating func addFormat(_ bits: Int) {
        let size = grid.size
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            switch index {
            case 0..<6: set(index, 8, isDark)
            case 6..<8: set(index + 1, 8, isDark)
            case 8: set(8, 7, isDark)
            default: set(8, 14 - index, isDark)
            }
            if index < 8 {
                set(8, size - 1 - index, isDark)
            } else {
                set(size - 15 + index, 8, isDark)
            }
        }
        // This module is dark in every code.
        set(size - 8, 8, true)
    }

    /// Places the codewords in pairs of columns from the right, upwards and downwards in turns (7.7.3).
    private mutating func lay(_ codewords: [UInt8]) {
        var bits: ArraySlice<Bool> = []
        for codeword in codewords { bits += (0..<8).reversed().map { codeword >> $0 & 1 == 1 } }
        var isUpward = true
        // The column of the timing pattern is skipped.
        for right in stride(from: grid.size - 1, to: 6, by: -2) + [5, 3, 1] {
            for step in 0..<grid.size {
                let row = isUpward ? grid.size - 1 - step : step
                for column in [right, right - 1] where !reserved[row, column] {
                    // The remaining modules stay light.
                    grid[row, column] = bits.popFirst() ?? false
                }
            }
            isUpward.toggle()
        }
    }
}
