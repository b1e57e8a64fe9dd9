// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// What an app changes of a view.
extension View {
    public func font(_ font: Font?) -> some View {
        OpaqueView([self], .font(font))
    }
    public func bold() -> some View { OpaqueView([self]) }
    public func foregroundStyle(_ style: some ShapeStyle) -> some View {
        OpaqueView([self], .foreground(style))
    }
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View { OpaqueView([self]) }
    public func tint(_ tint: Color?) -> some View { OpaqueView([self]) }
    public func opacity(_ opacity: Double) -> some View { OpaqueView([self]) }
    public func disabled(_ isDisabled: Bool) -> some View { OpaqueView([self]) }
    public func id(_ id: some Hashable) -> some View { OpaqueView([self]) }
    public func tag(_ tag: some Hashable) -> some View { OpaqueView([self]) }
    public func transition(_ transition: AnyTransition) -> some View { OpaqueView([self]) }
    public func animation(_ animation: Animation?, value: some Equatable) -> some View { OpaqueView([self]) }
    public func buttonStyle(_ style: some PrimitiveButtonStyle) -> some View { OpaqueView([self]) }
    public func modifier(_ modifier: some ViewModifier) -> some View { OpaqueView([self]) }
}

// The layout.
extension View {
    public func fixedSize(horizontal: Bool, vertical: Bool) -> some View { OpaqueView([self]) }
    public func padding(_ edges: Edge.Set = .all, _ length: Double? = nil) -> some View { OpaqueView([self]) }
    public func padding(_ length: Double) -> some View { OpaqueView([self]) }
    public func frame(width: Double? = nil, height: Double? = nil) -> some View { OpaqueView([self]) }
    public func frame(
        minWidth: Double? = nil,
        maxWidth: Double? = nil,
        minHeight: Double? = nil,
        maxHeight: Double? = nil
    ) -> some View { OpaqueView([self]) }
    public func background(_ style: some ShapeStyle) -> some View { OpaqueView([self], .background(style)) }
    public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View { OpaqueView([self]) }
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { OpaqueView([self]) }
    public func safeAreaInset(
        edge: VerticalEdge,
        spacing: Double? = nil,
        @ViewBuilder content: () -> some View
    ) -> some View { OpaqueView([self]) }
}

// What happens to a view.
extension View {
    public func onAppear(perform action: (() -> Void)? = nil) -> some View { OpaqueView([self]) }
    public func onChange(of value: some Equatable, _ action: @escaping () -> Void) -> some View { OpaqueView([self]) }
    public func onChange<Value: Equatable>(of value: Value, _ action: @escaping (Value, Value) -> Void) -> some View {
        OpaqueView([self])
    }
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        OpaqueView([self], .openURL(action))
    }
    public func task(_ action: sending @escaping @isolated(any) () async -> Void) -> some View { OpaqueView([self]) }
}

// What a screen reader learns of a view.
extension View {
    public func accessibilityHidden(_ isHidden: Bool) -> some View { OpaqueView([self]) }
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View { OpaqueView([self]) }
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { OpaqueView([self]) }
}
