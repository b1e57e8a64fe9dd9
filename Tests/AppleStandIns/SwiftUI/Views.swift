// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct LocalizedStringKey: ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {}
        public mutating func appendLiteral(_ literal: String) { text += literal }
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) { text += "\(date)" }
    }
}

public struct Text: SystemView {
    public struct DateStyle: Sendable {
        public static let time = DateStyle()
    }

    public let text: String

    public init(_ key: LocalizedStringKey) {
        text = key.text
    }

    @_disfavoredOverload public init(_ content: some StringProtocol) {
        text = String(content)
    }
}

public struct Image: SystemView {
    public let name: String

    public init(systemName: String) {
        name = systemName
    }
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
    public let parts: [any View]

    public init(@ViewBuilder content: () -> some View) {
        parts = [content()]
    }
}

public struct VStack: SystemView {
    public let spacing: Double?
    public let parts: [any View]

    public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {
        (self.spacing, parts) = (spacing, [content()])
    }
}

public struct HStack: SystemView {
    public let spacing: Double?
    public let parts: [any View]

    public init(spacing: Double? = nil, @ViewBuilder content: () -> some View) {
        (self.spacing, parts) = (spacing, [content()])
    }
}

public struct ZStack: SystemView {
    public let parts: [any View]

    public init(@ViewBuilder content: () -> some View) {
        parts = [content()]
    }
}

public struct Form: SystemView {
    public let parts: [any View]

    public init(@ViewBuilder content: () -> some View) {
        parts = [content()]
    }
}

public struct ForEach: SystemView {
    public let parts: [any View]

    public init<Data: RandomAccessCollection, ID: Hashable>(
        _ data: Data,
        id: KeyPath<Data.Element, ID>,
        @ViewBuilder content: @escaping (Data.Element) -> some View
    ) {
        parts = data.map { content($0) }
    }
}

public struct ButtonRole: Hashable, Sendable {
    public static let destructive = ButtonRole()
}

public struct Button: SystemView {
    public let title: String
    public let action: @MainActor () -> Void

    public init(_ title: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        (self.title, self.action) = (title.text, action)
    }

    @_disfavoredOverload
    public init(_ title: some StringProtocol, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
        (self.title, self.action) = (String(title), action)
    }
}

public struct AccessibilityTraits: Sendable {
    public static let isHeader = AccessibilityTraits()
}
