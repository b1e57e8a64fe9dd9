// SPDX-License-Identifier: Apache-2.0

@testable import TerminalShell

/// A screen with a simulated user, who reacts to its content.
@MainActor
final class SimulatedUserScreen: ShellScreen {
    let isAnimated = false
    let glyphs = Glyphs.ascii
    private let reaction: (ShellModel) -> ShellEvent?
    private var send: (@MainActor (ShellEvent) -> Void)?

    /// Creates a screen.
    ///
    /// - Parameter reaction: The user's reaction; nil for none.
    init(_ reaction: @escaping (ShellModel) -> ShellEvent?) {
        self.reaction = reaction
    }

    func start(_ send: @escaping @MainActor (ShellEvent) -> Void) {
        self.send = send
    }

    func show(_ model: ShellModel) -> Drawing? {
        if let event = reaction(model) { send?(event) }
        return nil
    }

    func redraw() {}

    func end() {}
}
