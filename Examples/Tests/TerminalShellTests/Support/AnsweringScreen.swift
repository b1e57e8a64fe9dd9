@testable import TerminalShell

/// A screen with a simulated user, who reacts to its content.
@MainActor
final class AnsweringScreen: ShellScreen {
    let isAnimated = false
    let glyphs = Glyphs.ascii
    private let answer: (ShellModel) -> ShellEvent?
    private var send: (@MainActor (ShellEvent) -> Void)?

    /// Creates a screen.
    ///
    /// - Parameter answer: The user's reaction; nil for none.
    init(_ answer: @escaping (ShellModel) -> ShellEvent?) {
        self.answer = answer
    }

    func start(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        self.send = send
    }

    func show(_ model: ShellModel) -> Drawing? {
        if let event = answer(model) { send?(event) }
        return nil
    }

    func redraw() {}

    func end() {}
}
