// SPDX-License-Identifier: Apache-2.0

/// A key that the shell uses.
enum Key: Sendable, Hashable {
    case left
    case right
    case up
    case down
    case tab
    case backTab
    case enter
    case escape
    case backspace
    case delete
    case home
    case end
    /// The start (true) or the end of a text that the terminal pastes.
    case paste(Bool)
    /// Draws the whole screen again, after another program has written over it.
    case redraw
    case character(Character)
}
