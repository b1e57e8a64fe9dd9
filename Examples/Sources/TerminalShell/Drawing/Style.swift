// SPDX-License-Identifier: Apache-2.0

/// The role of a piece of text, from which a screen derives its appearance.
enum Style: Sendable, Hashable {
    case plain
    case dim
    case title
    case wordmark
    case picture
    case button
    case focusedButton
    case tab
    case selectedTab
    case banner
    case error
    /// A part of a picture with its own colours, on a screen that has gradients.
    case cell(CellColors)
}
