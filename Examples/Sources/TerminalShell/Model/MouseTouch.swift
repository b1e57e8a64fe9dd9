// SPDX-License-Identifier: Apache-2.0

/// A mouse event: a button press, a release, or a turn of the wheel.
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
