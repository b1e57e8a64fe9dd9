// SPDX-License-Identifier: Apache-2.0

/// An opaque color of an app's design, which every kind of screen maps to its own type.
///
/// The components are those of the sRGB color space (IEC 61966-2-1), from 0 to 255, so that no value is out of range.
public struct SRGBColor: Sendable, Hashable {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8

    public static let white = SRGBColor(red: 0xFF, green: 0xFF, blue: 0xFF)

    /// Creates a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }
}
