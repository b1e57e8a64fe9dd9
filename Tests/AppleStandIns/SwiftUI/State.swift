// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor @preconcurrency @propertyWrapper
public struct State<Value> {
    private final class Box {
        var value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private let box: Box

    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    public var projectedValue: Binding<Value> { Binding(read: { box.value }, write: { box.value = $0 }) }

    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    public init(initialValue: Value) {
        box = Box(initialValue)
    }
}

@MainActor @preconcurrency @dynamicMemberLookup
public struct Binding<Value> {
    let read: () -> Value
    let write: (Value) -> Void

    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
        Binding<Member>(
            read: { read()[keyPath: path] },
            write: { member in
                var value = read()
                value[keyPath: path] = member
                write(value)
            }
        )
    }
}

@MainActor @preconcurrency @propertyWrapper
public struct Environment<Value> {
    private let path: KeyPath<EnvironmentValues, Value>

    public var wrappedValue: Value { EnvironmentValues.current[keyPath: path] }

    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        self.path = path
    }
}

public struct EnvironmentValues {
    /// The values of all views, which tests change.
    @MainActor public static var current = EnvironmentValues()

    public var accessibilityReduceMotion = false
    public var colorScheme = ColorScheme.light
    public var openURL = OpenURLAction { _ in }
    public var scenePhase = ScenePhase.active

    public init() {}
}

@MainActor @preconcurrency
public struct OpenURLAction: Sendable {
    private let handler: @MainActor (URL) -> Void

    public nonisolated init(handler: @escaping @MainActor (URL) -> Void) {
        self.handler = handler
    }

    public func callAsFunction(_ url: URL) {
        handler(url)
    }
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
    /// The animations of the changes so far; nil for a change without one.
    @MainActor public static var all: [Animation?] = []

    public static let `default` = Animation()
}

@MainActor @preconcurrency
public func withAnimation<Result>(_ animation: Animation?, _ body: () throws -> Result) rethrows -> Result {
    Animation.all.append(animation)
    return try body()
}
