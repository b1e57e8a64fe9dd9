// SPDX-License-Identifier: Apache-2.0

/// A square of modules, each dark or light.
package struct ModuleGrid: Sendable, Equatable {
    package let size: Int
    private var cells: [Bool]

    package init(size: Int) {
        self.size = size
        cells = Array(repeating: false, count: size * size)
    }

    /// Whether a module is dark.
    package subscript(row: Int, column: Int) -> Bool {
        get { cells[row * size + column] }
        set { cells[row * size + column] = newValue }
    }

    /// The rows from the top, then the columns from the left.
    var lines: [[Bool]] {
        let all = 0..<size
        return all.map { row in all.map { self[row, $0] } } + all.map { column in all.map { self[$0, column] } }
    }
}
