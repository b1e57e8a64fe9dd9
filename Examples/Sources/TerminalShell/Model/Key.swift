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
    /// Draws the whole screen again, after another program has written over it.
    case redraw
    case character(Character)
}
