// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// The declarations of SwiftUI that the views of this package use: enough to check the types, and to read which views a
// view has and press their buttons. Nothing is drawn or laid out.

@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

/// A view of the system's own.
@MainActor @preconcurrency
public protocol SystemView: View where Body == Never {
    /// The views in it.
    var parts: [any View] { get }
}

extension SystemView {
    public var body: Never { fatalError() }
    public var parts: [any View] { [] }
}

extension View {
    /// The view and all views in it, in order.
    public var all: [any View] {
        let parts: [any View] = (self as? any SystemView)?.parts ?? [body]
        return parts.reduce(into: [self]) { $0 += $1.all }
    }
}

public struct EmptyView: SystemView {
    public nonisolated init() {}
}

/// What a modifier makes of a view, and what a builder makes of several.
public struct OpaqueView: SystemView {
    public let parts: [any View]
    /// The modifier, if tests look at it.
    public let modifier: Modifier?

    init(_ parts: [any View], _ modifier: Modifier? = nil) {
        (self.parts, self.modifier) = (parts, modifier)
    }
}

/// A modifier that tests look at.
public enum Modifier {
    case background(any ShapeStyle)
    case foreground(any ShapeStyle)
    case font(Font?)
    case tabViewStyle(any TabViewStyle)
    case indexViewStyle(any IndexViewStyle)
    case openURL((URL) -> Void)
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

extension Optional: SystemView where Wrapped: View {
    public var parts: [any View] { map { [$0] } ?? [] }
}

@MainActor
@resultBuilder
public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> OpaqueView {
        var parts: [any View] = []
        repeat parts.append(each content)
        return OpaqueView(parts)
    }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither(first: some View) -> OpaqueView { OpaqueView([first]) }
    public static func buildEither(second: some View) -> OpaqueView { OpaqueView([second]) }
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
