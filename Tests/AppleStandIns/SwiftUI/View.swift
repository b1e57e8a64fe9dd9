// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The declarations of SwiftUI that the views of this package use, without what they do: enough to check the types.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// A view of the system's own.
public protocol SystemView: View where Body == Never {}

extension SystemView {
    public var body: Never { fatalError() }
}

public struct EmptyView: SystemView {
    public nonisolated init() {}
}

/// What a modifier makes of a view, and what a builder makes of several.
public struct OpaqueView: SystemView {
    nonisolated init() {}
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> OpaqueView { OpaqueView() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither(first: some View) -> OpaqueView { OpaqueView() }
    public static func buildEither(second: some View) -> OpaqueView { OpaqueView() }
}

@MainActor @preconcurrency
public protocol ViewModifier {
    typealias Content = OpaqueView
    associatedtype Body: View
    @ViewBuilder func body(content: Content) -> Body
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}
