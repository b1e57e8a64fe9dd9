// SPDX-License-Identifier: Apache-2.0

/// The number of columns and rows of a screen.
struct ScreenSize: Sendable, Hashable {
    let columns: Int
    let rows: Int
}
