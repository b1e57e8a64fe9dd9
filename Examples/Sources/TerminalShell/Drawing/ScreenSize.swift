/// How many columns and rows a screen has.
struct ScreenSize: Sendable, Hashable {
    let columns: Int
    let rows: Int
}
