/// The role of a piece of text, from which a screen derives its appearance.
enum Style: Sendable, Hashable, CaseIterable {
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
}
