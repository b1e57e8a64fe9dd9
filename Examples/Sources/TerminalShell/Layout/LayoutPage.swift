// SPDX-License-Identifier: Apache-2.0

/// The rows of a screen: a header, a body and a footer.
struct LayoutPage: Sendable, Hashable {
    var header: [LayoutRow] = []
    var body: [LayoutRow] = []
    var footer: [LayoutRow] = []
    /// Whether the body is centered vertically; otherwise it begins at the top.
    var isCentered = true

    /// The maximum width of a body, because longer lines are hard to read.
    static let bodyWidth = 56

    /// Positions every row, without the least important rows if the screen is too small.
    func drawn(in size: ScreenSize) -> Drawing {
        var page = self
        page.shrink(to: size.rows)
        var drawing = Drawing(size: size)
        for (row, content) in page.header.enumerated() { Self.put(content, at: row, inset: 0, into: &drawing) }
        let room = size.rows - page.header.count - page.footer.count
        let start = page.header.count + (isCentered ? max(0, (room - page.body.count) / 2) : 0)
        let inset = max(0, (size.columns - Self.bodyWidth) / 2)
        for (row, content) in page.body.prefix(max(0, room)).enumerated() {
            Self.put(content, at: start + row, inset: inset, into: &drawing)
        }
        for (row, content) in page.footer.enumerated() {
            Self.put(content, at: size.rows - page.footer.count + row, inset: 0, into: &drawing)
        }
        return drawing
    }

    private var rows: [LayoutRow] { header + body + footer }

    private mutating func shrink(to count: Int) {
        // A picture is shown completely or not at all.
        if rows.count > count, rows.count(where: { $0.importance > .blank }) > count {
            remove { $0.importance == .picture }
        }
        for importance in [LayoutRow.Importance.blank, .picture, .hint, .text, .essential] {
            while rows.count > count, removeLast(importance) {}
        }
    }

    private mutating func remove(_ isLeftOut: (LayoutRow) -> Bool) {
        header.removeAll(where: isLeftOut)
        body.removeAll(where: isLeftOut)
        footer.removeAll(where: isLeftOut)
    }

    private mutating func removeLast(_ importance: LayoutRow.Importance) -> Bool {
        if let index = footer.lastIndex(where: { $0.importance == importance }) {
            footer.remove(at: index)
        } else if let index = body.lastIndex(where: { $0.importance == importance }) {
            body.remove(at: index)
        } else if let index = header.lastIndex(where: { $0.importance == importance }) {
            header.remove(at: index)
        } else {
            return false
        }
        return true
    }

    private static func put(_ content: LayoutRow, at row: Int, inset: Int, into drawing: inout Drawing) {
        let columns = drawing.size.columns
        if content.alignment == .filled, let piece = content.pieces.first {
            let text = TextWidth.cut(piece.text, to: columns)
            let blanks = String(repeating: " ", count: columns - TextWidth.columns(text))
            drawing.add(text + blanks, piece.style, at: Position(column: 0, row: row), action: piece.action)
            return
        }
        // Narrows the gaps of a row that is too wide before anything is cut off.
        let gap = content.width > columns ? 1 : content.gap
        let width = content.width - (content.gap - gap) * max(0, content.pieces.count - 1)
        var column =
            switch content.alignment {
            case .center: max(0, (columns - width) / 2)
            case .leading: inset
            case .edge, .ends, .filled: 0
            }
        for (index, piece) in content.pieces.enumerated() {
            let own = TextWidth.columns(piece.text)
            if content.alignment == .ends, index > 0, index == content.pieces.count - 1 {
                column = max(column, columns - own)
            }
            drawing.add(piece.text, piece.style, at: Position(column: column, row: row), action: piece.action)
            if let caret = piece.caret { drawing.cursor = Position(column: column + caret, row: row) }
            column += own + gap
        }
    }
}
