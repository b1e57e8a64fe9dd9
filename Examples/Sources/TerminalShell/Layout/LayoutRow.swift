// SPDX-License-Identifier: Apache-2.0

/// A row of a screen before it is positioned.
struct LayoutRow: Sendable, Hashable {
    /// The importance of a row; the least important rows are left out first if the screen is too small.
    enum Importance: Int, Sendable, Comparable {
        case blank
        case picture
        case hint
        case text
        case essential

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    enum Alignment: Sendable {
        case leading
        /// From the first column over the whole width, for text that the user copies out of the terminal.
        case edge
        case center
        /// The first piece at the left, the last at the right.
        case ends
        /// The whole width, in the style of the first piece.
        case filled
    }

    /// A piece of text with one style and an optional action.
    struct Piece: Sendable, Hashable {
        let text: String
        var style = Style.plain
        var action: ShellAction?
        /// The column of the terminal's cursor within the text, or nil if it is not in this piece.
        var caret: Int?
    }

    var pieces: [Piece]
    var importance = Importance.text
    var alignment = Alignment.center
    /// The columns between pieces.
    var gap = 2

    static let blank = LayoutRow(pieces: [], importance: .blank)

    init(pieces: [Piece], importance: Importance = .text, alignment: Alignment = .center, gap: Int = 2) {
        self.pieces = pieces
        self.importance = importance
        self.alignment = alignment
        self.gap = gap
    }

    init(
        _ text: String,
        _ style: Style = .plain,
        _ importance: Importance = .text,
        _ alignment: Alignment = .center
    ) {
        self.init(pieces: [Piece(text: text, style: style)], importance: importance, alignment: alignment)
    }

    var width: Int {
        pieces.reduce(0) { $0 + TextWidth.columns($1.text) } + gap * max(0, pieces.count - 1)
    }
}
