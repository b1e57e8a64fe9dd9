// SPDX-License-Identifier: Apache-2.0

import AppShell

/// A symbol in a white circle over a gradient, for a screen with enough colours.
///
/// A cell has two pixels, one above the other, which are almost square.
struct SymbolBadge: Sendable {
    static let columns = 31
    private static let rowCount = 8
    /// The square of the circle's radius in pixels.
    private static let squaredRadius = 48.0
    /// The number of colours of a gradient; more would be seen on few terminals.
    private static let shades = 16.0

    let symbol: [String]
    let gradient: ColorGradient

    /// The rows, each of pieces of one colour.
    var rows: [LayoutRow] {
        (0..<Self.rowCount).map { row in
            var pieces: [LayoutRow.Piece] = []
            for column in 0..<Self.columns {
                let cell = cell(column, row)
                if let last = pieces.last, last.style == cell.style {
                    pieces[pieces.count - 1] = LayoutRow.Piece(text: last.text + cell.text, style: last.style)
                } else {
                    pieces.append(cell)
                }
            }
            return LayoutRow(pieces: pieces, importance: .picture, gap: 0)
        }
    }

    private func cell(_ column: Int, _ row: Int) -> LayoutRow.Piece {
        let (upper, lower) = (Self.isInside(column, 2 * row), Self.isInside(column, 2 * row + 1))
        let shade = shade(column, row)
        switch (upper, lower) {
        case (true, true):
            let colors = CellColors(foreground: gradient.start, background: .white)
            return LayoutRow.Piece(text: character(column, row), style: .cell(colors))
        case (false, false):
            return LayoutRow.Piece(text: " ", style: .cell(CellColors(foreground: shade, background: shade)))
        default:
            let colors = CellColors(foreground: .white, background: shade)
            return LayoutRow.Piece(text: upper ? "▀" : "▄", style: .cell(colors))
        }
    }

    private static func isInside(_ column: Int, _ pixel: Int) -> Bool {
        let (x, y) = (Double(column) - 15, Double(pixel) - 7.5)
        return x * x + y * y <= squaredRadius
    }

    /// Returns the colour of the gradient at a cell.
    private func shade(_ column: Int, _ row: Int) -> SRGBColor {
        let way = (Double(column) / Double(Self.columns - 1) + Double(row) / Double(Self.rowCount - 1)) / 2
        return gradient.color(at: (way * (Self.shades - 1)).rounded() / (Self.shades - 1))
    }

    /// Returns the character of the symbol at a cell, or a blank.
    private func character(_ column: Int, _ row: Int) -> String {
        let (left, top) = ((Self.columns - 7) / 2, (Self.rowCount - symbol.count) / 2)
        guard symbol.indices.contains(row - top) else { return " " }
        let line = Array(symbol[row - top])
        return line.indices.contains(column - left) ? String(line[column - left]) : " "
    }
}
