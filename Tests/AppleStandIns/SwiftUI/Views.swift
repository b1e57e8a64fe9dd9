// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    public init(stringLiteral value: String) {}
    public init(stringInterpolation: StringInterpolation) {}

    public struct StringInterpolation: StringInterpolationProtocol {
        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) {}
        public mutating func appendInterpolation(_ text: String) {}
        public mutating func appendInterpolation(_ number: Int) {}
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {}
    }
}

public struct Text: SystemView {
    public struct DateStyle: Sendable {
        public static let time = DateStyle()
    }

    public init(_ key: LocalizedStringKey) {}
    @_disfavoredOverload public init(_ content: some StringProtocol) {}
}

public struct Image: SystemView {
    public init(systemName: String) {}
}

public struct Label: SystemView {
    public init(_ title: some StringProtocol, systemImage: String) {}
}

public struct LabeledContent: SystemView {
    public init(_ title: LocalizedStringKey, value: some StringProtocol) {}
}

public struct ProgressView: SystemView {
    public init() {}
}

public struct Spacer: SystemView {
    public init() {}
}

public struct Group: SystemView {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct VStack: SystemView {
    public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {}
}

public struct HStack: SystemView {
    public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {}
}

public struct ZStack: SystemView {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct Form: SystemView {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct TabView: SystemView {
    public init(@ViewBuilder content: () -> some View) {}
}

public struct ForEach: SystemView {
    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> some View
    ) {}
}

public struct ButtonRole: Hashable, Sendable {
    public static let destructive = ButtonRole()
}

public struct Button: SystemView {
    public init(_ title: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
    @_disfavoredOverload
    public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
    public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> some View) {}
}

public protocol Gesture {}

public struct DragGesture: Gesture {
    public struct Value: Sendable {
        /// The system's has the type `CGSize`, which SwiftUI exports.
        public struct Size: Sendable {
            public let width: Double
            public let height: Double
        }

        public let translation: Size
    }

    public init(minimumDistance: Double) {}
    public func onEnded(_ action: @escaping (Value) -> Void) -> some Gesture { self }
}

public enum AccessibilityChildBehavior: Sendable {
    case ignore
    case combine
    case contain
}

public enum AccessibilityAdjustmentDirection: Sendable {
    case increment
    case decrement
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
}
