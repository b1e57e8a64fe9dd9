// SPDX-License-Identifier: Apache-2.0

/// A gradient between two colors, from the top left to the bottom right of an area.
public struct ColorGradient: Sendable, Hashable {
    /// The color at the top left.
    public let start: SRGBColor
    /// The color at the bottom right.
    public let end: SRGBColor

    /// Creates a gradient.
    public init(from start: SRGBColor, to end: SRGBColor) {
        (self.start, self.end) = (start, end)
    }

    /// Returns the color at a fraction of the way from the start to the end, clamped to 0 through 1.
    public func color(at fraction: Double) -> SRGBColor {
        // `max` returns its first argument if the other is not a number.
        let fraction = min(1, max(0, fraction))
        func component(_ component: (SRGBColor) -> UInt8) -> UInt8 {
            let (first, last) = (Double(component(start)), Double(component(end)))
            return UInt8((first + (last - first) * fraction).rounded())
        }
        return SRGBColor(red: component { $0.red }, green: component { $0.green }, blue: component { $0.blue })
    }
}
