/// A place on the screen, counted from 0 at the left and at the top.
struct Position: Sendable, Hashable {
    let column: Int
    let row: Int
}
