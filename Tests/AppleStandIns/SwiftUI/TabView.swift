// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct TabView: SystemView {
    /// The binding of the shown page, which a swipe sets; nil without one.
    public let selection: Any?
    public let parts: [any View]

    public init(@ViewBuilder content: () -> some View) {
        (selection, parts) = (nil, [content()])
    }

    public init(selection: Binding<some Hashable>, @ViewBuilder content: () -> some View) {
        (self.selection, parts) = (selection, [content()])
    }
}

public protocol TabViewStyle: Sendable {}

public struct PageTabViewStyle: TabViewStyle {
    public enum IndexDisplayMode: Sendable {
        case automatic
        case always
        case never
    }

    public let indexDisplayMode: IndexDisplayMode
}

extension TabViewStyle where Self == PageTabViewStyle {
    public static func page(indexDisplayMode: PageTabViewStyle.IndexDisplayMode) -> PageTabViewStyle {
        PageTabViewStyle(indexDisplayMode: indexDisplayMode)
    }
}

public protocol IndexViewStyle: Sendable {}

public struct PageIndexViewStyle: IndexViewStyle {
    public enum BackgroundDisplayMode: Sendable {
        case automatic
        case always
        case interactive
        case never
    }

    public let backgroundDisplayMode: BackgroundDisplayMode
}

extension IndexViewStyle where Self == PageIndexViewStyle {
    public static func page(backgroundDisplayMode: PageIndexViewStyle.BackgroundDisplayMode) -> PageIndexViewStyle {
        PageIndexViewStyle(backgroundDisplayMode: backgroundDisplayMode)
    }
}

extension View {
    public func tabViewStyle(_ style: some TabViewStyle) -> some View { OpaqueView([self], .tabViewStyle(style)) }
    public func indexViewStyle(_ style: some IndexViewStyle) -> some View {
        OpaqueView([self], .indexViewStyle(style))
    }
}
