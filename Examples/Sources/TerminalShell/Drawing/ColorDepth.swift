// SPDX-License-Identifier: Apache-2.0

import AppShell

/// The colours that a terminal can show, and the number of each.
enum ColorDepth: Sendable, Hashable {
    /// No colours, or none wanted.
    case none
    /// The 8 or 16 named colours, which the user chooses and no program knows.
    case named
    /// The 256 colours of xterm, of which all but the first 16 are known.
    case indexed
    /// Every colour, by its components.
    case direct

    /// The number of the terminal's own colour.
    static let own: Int32 = -1

    /// Whether the colours on the screen are those of the design, so that gradients and a background can be drawn.
    var isExact: Bool { self == .indexed || self == .direct }

    /// Returns the number of the nearest colour.
    func number(of color: SRGBColor) -> Int32 {
        switch self {
        case .none: Self.own
        case .named: Self.named(color)
        case .indexed: Self.indexed(color)
        // The first eight numbers are names here too.
        case .direct: max(8, Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue))
        }
    }

    /// Returns the named colour with the same strong components: bit 0 is red, bit 1 green, bit 2 blue.
    private static func named(_ color: SRGBColor) -> Int32 {
        let strongest = max(color.red, color.green, color.blue)
        func bit(_ component: UInt8) -> Int32 { component > strongest / 2 && component > 0x40 ? 1 : 0 }
        return bit(color.red) | bit(color.green) << 1 | bit(color.blue) << 2
    }

    /// Returns the nearest of the 6 × 6 × 6 cube from 16 on and of the 24 greys from 232 on.
    private static func indexed(_ color: SRGBColor) -> Int32 {
        (16..<256).min { distance(color, indexed($0)) < distance(color, indexed($1)) } ?? own
    }

    /// Returns the colour with an index from 16 to 255.
    static func indexed(_ number: Int32) -> SRGBColor {
        if number >= 232 {
            let grey = UInt8(clamping: 8 + 10 * (number - 232))
            return SRGBColor(red: grey, green: grey, blue: grey)
        }
        func level(_ step: Int32) -> UInt8 { step % 6 == 0 ? 0 : UInt8(clamping: 55 + 40 * (step % 6)) }
        let cube = max(0, number - 16)
        return SRGBColor(red: level(cube / 36), green: level(cube / 6), blue: level(cube))
    }

    private static func distance(_ one: SRGBColor, _ other: SRGBColor) -> Int {
        func square(_ component: (SRGBColor) -> UInt8) -> Int {
            let difference = Int(component(one)) - Int(component(other))
            return difference * difference
        }
        return square { $0.red } + square { $0.green } + square { $0.blue }
    }
}
