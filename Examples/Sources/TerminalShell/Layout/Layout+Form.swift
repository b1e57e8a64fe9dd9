// SPDX-License-Identifier: Apache-2.0

extension Layout {
    /// The maximum width of a field.
    private static let fieldWidth = 36

    /// The rows of the screen's text fields and its check box; none if it has no form.
    var fields: [LayoutRow] {
        let form = model.form
        guard !form.fields.isEmpty else { return [] }
        return form.fields.indices.flatMap { field($0) + [.blank] } + (checkBox.map { [$0, .blank] } ?? [])
    }

    private var checkBox: LayoutRow? {
        guard let isRemembered = model.form.isRemembered else { return nil }
        let text = "[\(isRemembered ? "x" : " ")] \(model.title(of: .remember))"
        let style = model.focus == .remember ? Style.focusedButton : .button
        return LayoutRow(
            pieces: [LayoutRow.Piece(text: text, style: style, action: .remember)],
            importance: .essential
        )
    }

    /// Returns the label of a field, the field with its text, and the remark about it.
    private func field(_ index: Int) -> [LayoutRow] {
        let field = model.form.fields[index]
        let (shown, caret) = visible(field)
        let isFocused = model.focus == .field(index)
        let room = max(2, min(width, Self.fieldWidth) - 2)
        let line = String(repeating: "_", count: max(0, room - TextWidth.columns(shown)))
        let piece = LayoutRow.Piece(
            text: " \(shown)\(line) ",
            style: isFocused ? .focusedButton : .button,
            action: .field(index),
            caret: isFocused ? caret + 1 : nil
        )
        return [LayoutRow(field.label, .title, .text), LayoutRow(pieces: [piece], importance: .essential)]
            + (field.remark.map { rows($0, .dim, .hint) } ?? [])
    }

    /// Returns the part of a field's text around the caret that fits, and the caret's column in it.
    private func visible(_ field: TextField) -> (text: String, caret: Int) {
        let room = max(2, min(width, Self.fieldWidth) - 2)
        let characters =
            field.isSecret
            ? Array(repeating: model.glyphs.bullet, count: field.count) : field.text.map { String($0) }
        let columns = characters.map { TextWidth.columns($0) }
        // One column stays free for the caret at the end.
        var start = 0
        while columns[start..<field.caret].reduce(0, +) > room - 1 { start += 1 }
        var text = "", used = 0
        for (character, width) in zip(characters[start...], columns[start...]) where used + width <= room {
            text += character
            used += width
        }
        return (text, columns[start..<field.caret].reduce(0, +))
    }
}
