/// What a piece of text is, by which a screen decides how it looks.
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
