// SPDX-License-Identifier: Apache-2.0

public import AppShell

/// The colours of a brand, which SwiftUI and GTK each map to their own.
public struct BrandPalette: Sendable, Hashable {
    /// The colour of the wordmark and of the buttons.
    public let accent: SRGBColor
    /// The colour of text on the accent.
    public let onAccent: SRGBColor
    /// The colour behind everything.
    public let background: SRGBColor
    /// The colour of text.
    public let text: SRGBColor
    /// The colour of less important text.
    public let secondaryText: SRGBColor
    /// The colour of an error message.
    public let error: SRGBColor
    /// The colour behind the text of a banner.
    public let banner: SRGBColor

    /// The family's palette: a red accent on white.
    public static let umuve = BrandPalette(
        accent: SRGBColor(red: 0xDC, green: 0x26, blue: 0x26),
        onAccent: .white,
        background: .white,
        text: SRGBColor(red: 0x1C, green: 0x1C, blue: 0x1E),
        secondaryText: SRGBColor(red: 0x5F, green: 0x63, blue: 0x68),
        error: SRGBColor(red: 0xB3, green: 0x26, blue: 0x1E),
        banner: SRGBColor(red: 0xFF, green: 0xD6, blue: 0x66)
    )
}

extension ColorGradient {
    /// From the accent to orange.
    static let sunrise = ColorGradient(
        from: SRGBColor(red: 0xDC, green: 0x26, blue: 0x26),
        to: SRGBColor(red: 0xF9, green: 0x73, blue: 0x16)
    )
    /// From purple to the accent.
    static let dusk = ColorGradient(
        from: SRGBColor(red: 0x9D, green: 0x17, blue: 0x4D),
        to: SRGBColor(red: 0xDC, green: 0x26, blue: 0x26)
    )
    /// From a dark red to the accent.
    static let ember = ColorGradient(
        from: SRGBColor(red: 0x7F, green: 0x1D, blue: 0x1D),
        to: SRGBColor(red: 0xDC, green: 0x26, blue: 0x26)
    )
}
