/// A key that means something to the shell.
enum Key: Sendable, Hashable {
    case left
    case right
    case up
    case down
    case tab
    case backTab
    case enter
    case escape
    /// Draws everything anew: another program has written over the screen.
    case redraw
    case character(Character)
}
