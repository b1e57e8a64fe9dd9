// SPDX-License-Identifier: Apache-2.0

/// A complete screen: pieces of text, and the targets of clicks.
struct Drawing: Sendable, Hashable {
    /// A piece of text on one row.
    struct Span: Sendable, Hashable {
        let position: Position
        let text: String
        let style: Style
    }

    /// A part of a row that performs an action when clicked.
    struct Target: Sendable, Hashable {
        let position: Position
        let width: Int
        let action: ShellAction

        func holds(_ other: Position) -> Bool {
            other.row == position.row && (position.column..<(position.column + width)).contains(other.column)
        }
    }

    let size: ScreenSize
    private(set) var spans: [Span] = []
    private(set) var targets: [Target] = []
    /// The position of the terminal's cursor, or nil if it is hidden.
    var cursor: Position?

    init(size: ScreenSize) {
        self.size = size
    }

    /// Adds a text, cut off at the edge of the screen.
    ///
    /// - Parameters:
    ///   - text: One line of text.
    ///   - style: The style of the text.
    ///   - position: The position of its first character.
    ///   - action: The action of a click, or nil if there is no action.
    mutating func add(_ text: String, _ style: Style, at position: Position, action: ShellAction? = nil) {
        guard (0..<size.rows).contains(position.row), (0..<size.columns).contains(position.column) else { return }
        let shown = TextWidth.cut(text, to: size.columns - position.column)
        guard !shown.isEmpty else { return }
        spans.append(Span(position: position, text: shown, style: style))
        if let action { targets.append(Target(position: position, width: TextWidth.columns(shown), action: action)) }
    }

    /// Returns the action of a click, or nil if there is no action.
    func action(at position: Position) -> ShellAction? {
        targets.last { $0.holds(position) }?.action
    }

    /// The rows as plain text, without trailing blanks.
    var lines: [String] {
        (0..<size.rows).map { row in
            var line = "", column = 0
            let own = spans.filter { $0.position.row == row }
            for span in own.sorted(by: { $0.position.column < $1.position.column }) {
                line += String(repeating: " ", count: max(0, span.position.column - column)) + span.text
                column = max(column, span.position.column) + TextWidth.columns(span.text)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
