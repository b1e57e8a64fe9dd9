@testable import TerminalShell

/// A screen with a person before it, who does something because of what shows.
@MainActor
final class AnsweringScreen: ShellScreen {
    let isAnimated = false
    let glyphs = Glyphs.ascii
    private let answer: (ShellModel) -> ShellEvent?
    private var send: (@MainActor (ShellEvent) -> Void)?

    /// Makes it.
    ///
    /// - Parameter answer: What the person does; nil for nothing.
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
