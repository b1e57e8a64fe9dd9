// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ShapeStyle: Sendable {}

public struct Color: SystemView, ShapeStyle {
    public enum RGBColorSpace: Sendable {
        case sRGB
        case sRGBLinear
    }

    /// Red, green and blue.
    public let components: [Double]

    public nonisolated init(_ space: RGBColorSpace, red: Double, green: Double, blue: Double, opacity: Double) {
        components = [red, green, blue]
    }
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
    public static var primary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
    public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public struct BackgroundStyle: ShapeStyle {}

extension ShapeStyle where Self == BackgroundStyle {
    public static var background: BackgroundStyle { BackgroundStyle() }
}

public struct AnyShapeStyle: ShapeStyle {
    /// The style in it.
    public let style: any ShapeStyle

    public init(_ style: some ShapeStyle) {
        self.style = style
    }
}

public struct UnitPoint: Hashable, Sendable {
    public static let topLeading = UnitPoint()
    public static let bottomTrailing = UnitPoint()
}

public struct LinearGradient: SystemView, ShapeStyle {
    public nonisolated init(colors: [Color], startPoint: UnitPoint, endPoint: UnitPoint) {}
}

public protocol Shape: SystemView, Sendable {}

public struct Circle: Shape {
    public nonisolated init() {}
}

public struct RoundedRectangle: Shape {
    public nonisolated init(cornerRadius: Double) {}
}

public struct Font: Hashable, Sendable {
    public struct Weight: Hashable, Sendable {
        public static let heavy = Weight()
    }

    public static let largeTitle = Font(name: "largeTitle")
    public static let title = Font(name: "title")
    public static let headline = Font(name: "headline")
    public static let body = Font(name: "body")
    public static let footnote = Font(name: "footnote")
    public static func system(size: Double) -> Font { Font(name: "\(size)") }

    private let name: String
    private var weight: Weight?

    private init(name: String) {
        self.name = name
    }

    public func weight(_ weight: Weight) -> Font {
        var font = self
        font.weight = weight
        return font
    }
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

extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    public static var borderedProminent: Self { Self() }
}
