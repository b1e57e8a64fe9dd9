import AuthSession

extension ShellModel {
    /// From how many columns on a movement with the button down is a swipe.
    static let swipeDistance = 4

    /// Remembers where the button went down; what it does is known when it comes up.
    mutating func handle(_ touch: MouseTouch) -> [ShellEffect] {
        switch touch.kind {
        case .down: pressed = touch.position
        case .wheelUp: scrollOrMoveFocus(by: -1)
        case .wheelDown: scrollOrMoveFocus(by: 1)
        case .up: break
        }
        return []
    }

    /// The button comes up: a swipe where it was moved sideways, else a click on what it went down and came up on.
    ///
    /// - Parameters:
    ///   - touch: Where it comes up.
    ///   - drawing: What the person sees.
    /// - Returns: What is to be done because of it.
    mutating func release(_ touch: MouseTouch, on drawing: Drawing) -> [ShellEffect] {
        guard let pressed else { return [] }
        self.pressed = nil
        let distance = touch.position.column - pressed.column
        // The finger pulls the page: to the left for the next one.
        if abs(distance) >= Self.swipeDistance { return move(by: distance < 0 ? 1 : -1) }
        if let action = drawing.action(at: pressed) {
            // Who moves away before letting go has thought better of it.
            return drawing.action(at: touch.position) == action ? perform(action) : []
        }
        guard flow.screen == .onboarding, touch.position.row == pressed.row else { return [] }
        return move(by: 2 * pressed.column < drawing.size.columns ? -1 : 1)
    }
}
