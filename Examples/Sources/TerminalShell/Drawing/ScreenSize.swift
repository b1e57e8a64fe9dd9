/// The number of columns and rows of a screen.
struct ScreenSize: Sendable, Hashable {
    let columns: Int
    let rows: Int
}
