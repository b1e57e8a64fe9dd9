// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

/// The layout of a model for a screen size: the position of each text and the action of a click on it.
struct Layout: Sendable {
    let model: ShellModel
    let size: ScreenSize

    /// Returns the drawing of a model.
    static func drawing(of model: ShellModel, in size: ScreenSize) -> Drawing {
        Layout(model: model, size: size).page.drawn(in: size)
    }

    private var page: LayoutPage {
        switch model.flow.screen {
        case .splash: splash
        case .onboarding: onboarding
        case .signIn: signIn
        case .registration: registration
        case .locked(let reason): locked(reason)
        case .main: main
        }
    }

    /// The maximum width of a body.
    var width: Int { min(size.columns, LayoutPage.bodyWidth) }

    /// Returns the rows of a wrapped text.
    func rows(
        _ text: String,
        _ style: Style = .plain,
        _ importance: LayoutRow.Importance = .text,
        _ alignment: LayoutRow.Alignment = .center
    ) -> [LayoutRow] {
        TextWidth.wrap(text, to: width).map { LayoutRow($0, style, importance, alignment) }
    }

    /// The row of the screen's buttons.
    var buttons: LayoutRow { row(of: model.actions.filter { !model.form.actions.contains($0) }) }

    /// Returns a row of buttons.
    func row(of actions: [ShellAction]) -> LayoutRow {
        let plain = LayoutRow(pieces: actions.map { piece($0, "[ ", " ]") }, importance: .essential, gap: 2)
        if plain.width <= size.columns { return plain }
        return LayoutRow(pieces: actions.map { piece($0, "", "") }, importance: .essential, gap: 1)
    }

    private func piece(_ action: ShellAction, _ before: String, _ after: String) -> LayoutRow.Piece {
        if action == .refresh, model.isAwaitingJobs { return LayoutRow.Piece(text: waitingText("Loading")) }
        let style = action == model.focus ? Style.focusedButton : .button
        return LayoutRow.Piece(text: before + model.title(of: action) + after, style: style, action: action)
    }

    /// Returns a hint about the keys.
    func hint(_ text: String) -> LayoutRow { LayoutRow(text, .dim, .hint) }

    /// Returns an animated progress indicator.
    func waiting(_ text: String) -> LayoutRow { LayoutRow(waitingText(text), .plain, .essential) }

    private func waitingText(_ text: String) -> String {
        let spinner = model.glyphs.spinner
        return "\(spinner[model.step % spinner.count]) \(text)\(model.glyphs.ellipsis)"
    }

    /// The wordmark, in large letters and beside the brand's symbol if there is room.
    var wordmark: [LayoutRow] {
        let small = LayoutRow(model.brand.wordmark, .wordmark, .essential)
        guard model.glyphs.hasPictures, size.rows >= 16, let large = LargeLetters.rows(of: model.brand.wordmark) else {
            return [small]
        }
        let symbol = model.brand.symbolName.map { Picture.rows(of: $0) } ?? []
        let forms = [zip(symbol, large).map { "\($0)   \($1)" }, large]
        let fitting = forms.first { rows in
            !rows.isEmpty && rows.allSatisfy { TextWidth.columns($0) <= size.columns }
        }
        return fitting?.map { LayoutRow($0, .wordmark, .essential) } ?? [small]
    }
}
