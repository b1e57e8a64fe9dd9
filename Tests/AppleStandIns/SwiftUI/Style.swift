// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ShapeStyle: Sendable {}

public struct Color: SystemView, ShapeStyle {
    public enum RGBColorSpace: Sendable {
        case sRGB
        case sRGBLinear
    }

    public nonisolated init(_ space: RGBColorSpace, red: Double, green: Double, blue: Double, opacity: Double) {}
}

extension ShapeStyle where Self == Color {
    public static var red: Color { Color(.sRGB, red: 1, green: 0, blue: 0, opacity: 1) }
}

public struct Material: ShapeStyle {}

extension ShapeStyle where Self == Material {
    public static var thinMaterial: Material { Material() }
}

public struct TintShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == TintShapeStyle {
    public static var tint: TintShapeStyle { TintShapeStyle() }
}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == HierarchicalShapeStyle {
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    public static var tertiary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct AnyShapeStyle: ShapeStyle {
    public init(_ style: some ShapeStyle) {}
}

public struct UnitPoint: Hashable, Sendable {
    public static let topLeading = UnitPoint()
    public static let bottomTrailing = UnitPoint()
}

public struct LinearGradient: SystemView, ShapeStyle {
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
}

public protocol Shape: SystemView, Sendable {}

extension Shape {
    public func fill(_ style: some ShapeStyle) -> some View { OpaqueView() }
}

public struct Circle: Shape {
    public nonisolated init() {}
}

public struct Rectangle: Shape {
    public nonisolated init() {}
}

public struct RoundedRectangle: Shape {
    public nonisolated init(cornerRadius: Double) {}
}

public struct Font: Hashable, Sendable {
    public static let largeTitle = Font()
    public static let title = Font()
    public static let headline = Font()
    public static let body = Font()
    public static let footnote = Font()
    public static func system(size: Double) -> Font { Font() }
    public func bold() -> Font { self }
}

public enum TextAlignment: Sendable {
    case leading
    case center
    case trailing
}

public enum VerticalEdge: Sendable {
    case top
    case bottom
}

public struct Edge {
    public struct Set: OptionSet, Sendable {
        public let rawValue: Int

        public static let horizontal = Set(rawValue: 1)
        public static let vertical = Set(rawValue: 2)
        public static let all = Set(rawValue: 3)

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }
}

public struct AnyTransition: Sendable {
    public static let opacity = AnyTransition()
}

public protocol PrimitiveButtonStyle {}

public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}

public struct PlainButtonStyle: PrimitiveButtonStyle {}

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { Self() }
}

extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    public static var plain: Self { Self() }
}
