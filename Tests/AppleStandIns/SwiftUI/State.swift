// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@MainActor @preconcurrency @propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }

    public var projectedValue: Binding<Value> { fatalError() }

    public init(wrappedValue: Value) {}
    public init(initialValue: Value) {}
}

@MainActor @preconcurrency
public struct Binding<Value> {}

@MainActor @preconcurrency @propertyWrapper
public struct Environment<Value> {
    public var wrappedValue: Value { fatalError() }

    public init(_ path: KeyPath<EnvironmentValues, Value>) {}
}

public struct EnvironmentValues {
    public var accessibilityReduceMotion: Bool { false }
    public var colorScheme: ColorScheme { .light }
    public var scenePhase: ScenePhase { .active }
}

public enum ColorScheme: Hashable, Sendable {
    case light
    case dark
}

public enum ScenePhase: Hashable, Sendable {
    case background
    case inactive
    case active
}

public struct Animation: Sendable {
    public static let `default` = Animation()
    public static func easeInOut(duration: Double) -> Animation { Animation() }
}

@MainActor @preconcurrency
public func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
    try body()
}
