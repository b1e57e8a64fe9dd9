import AuthSession
import UmuveBrands

/// Draws a model for a size: what is where, and what a touch of it does.
struct Layout: Sendable {
    let model: ShellModel
    let size: ScreenSize

    /// The drawing.
    static func drawing(of model: ShellModel, in size: ScreenSize) -> Drawing {
        Layout(model: model, size: size).page.drawn(in: size)
    }

    private var page: LayoutPage {
        switch model.flow.screen {
        case .splash: splash
        case .onboarding: onboarding
        case .signIn, .registration: signIn
        case .locked(let reason): locked(reason)
        case .main: main
        }
    }

    /// What a body may use of the width.
    var width: Int { min(size.columns, LayoutPage.bodyWidth) }

    /// A text over as many rows as it takes.
    func rows(
        _ text: String,
        _ style: Style = .plain,
        _ importance: LayoutRow.Importance = .text,
        _ alignment: LayoutRow.Alignment = .center
    ) -> [LayoutRow] {
        TextWidth.wrap(text, to: width).map { LayoutRow($0, style, importance, alignment) }
    }

    /// The buttons of the screen on one row.
    var buttons: LayoutRow {
        let plain = LayoutRow(pieces: model.actions.map { piece($0, "[ ", " ]") }, importance: .essential, gap: 2)
        if plain.width <= size.columns { return plain }
        return LayoutRow(pieces: model.actions.map { piece($0, "", "") }, importance: .essential, gap: 1)
    }

    private func piece(_ action: ShellAction, _ before: String, _ after: String) -> LayoutRow.Piece {
        if action == .refresh, model.isAwaitingJobs { return LayoutRow.Piece(text: waitingText("Loading")) }
        let style = action == model.focus ? Style.focusedButton : .button
        return LayoutRow.Piece(text: before + model.title(of: action) + after, style: style, action: action)
    }

    /// What the keys do, for who has not guessed it.
    func hint(_ text: String) -> LayoutRow { LayoutRow(text, .dim, .hint) }

    /// A wait, with motion.
    func waiting(_ text: String) -> LayoutRow { LayoutRow(waitingText(text), .plain, .essential) }

    private func waitingText(_ text: String) -> String {
        let spinner = model.glyphs.spinner
        return "\(spinner[model.step % spinner.count]) \(text)\(model.glyphs.ellipsis)"
    }

    /// The wordmark, large where there is room.
    var wordmark: [LayoutRow] {
        let small = LayoutRow(model.brand.wordmark, .wordmark, .essential)
        guard model.glyphs.hasPictures, size.rows >= 16, let large = LargeLetters.rows(of: model.brand.wordmark),
            large.allSatisfy({ TextWidth.columns($0) <= size.columns })
        else { return [small] }
        return large.map { LayoutRow($0, .wordmark, .essential) }
    }
}
