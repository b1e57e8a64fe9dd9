/// What a person does with the mouse: a button goes down, comes up, or the wheel turns.
struct MouseTouch: Sendable, Hashable {
    enum Kind: Sendable {
        case down
        case up
        case wheelUp
        case wheelDown
    }

    let kind: Kind
    let position: Position
}
