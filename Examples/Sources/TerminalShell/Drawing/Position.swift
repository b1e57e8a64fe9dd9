// SPDX-License-Identifier: Apache-2.0

/// A position on the screen, from 0 at the left and at the top.
struct Position: Sendable, Hashable {
    let column: Int
    let row: Int
}
