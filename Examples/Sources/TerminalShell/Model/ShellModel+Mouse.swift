// SPDX-License-Identifier: Apache-2.0

import AppShell

extension ShellModel {
    /// The minimum number of columns of a swipe, a movement with the button down.
    static let swipeDistance = 4

    /// Handles a mouse event; a press takes effect at its release.
    mutating func handle(_ touch: MouseTouch) -> [ShellEffect] {
        switch touch.kind {
        case .down: pressed = touch.position
        case .wheelUp: scrollOrMoveFocus(by: -1)
        case .wheelDown: scrollOrMoveFocus(by: 1)
        case .up: break
        }
        return []
    }

    /// Handles a release: a swipe if the mouse has moved sideways, otherwise a click.
    ///
    /// - Parameters:
    ///   - touch: The release.
    ///   - drawing: The visible drawing.
    /// - Returns: The effects to perform.
    mutating func release(_ touch: MouseTouch, on drawing: Drawing) -> [ShellEffect] {
        guard let pressed else { return [] }
        self.pressed = nil
        defer { updateForm() }
        let distance = touch.position.column - pressed.column
        // The mouse drags the page: to the left for the next one.
        if abs(distance) >= Self.swipeDistance { return move(by: distance < 0 ? 1 : -1) }
        if let action = drawing.action(at: pressed) {
            // A release elsewhere cancels the click.
            return drawing.action(at: touch.position) == action ? perform(action) : []
        }
        guard flow.screen == .onboarding, touch.position.row == pressed.row else { return [] }
        return move(by: 2 * pressed.column < drawing.size.columns ? -1 : 1)
    }
}
