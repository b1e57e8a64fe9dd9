// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing
import UmuveBrands

@testable import TerminalShell

@Suite("The colours of the brands")
struct PaletteTests {
    /// The styles of text.
    private static let styles: [Style] = [
        .plain, .dim, .title, .wordmark, .picture, .button, .focusedButton, .tab, .selectedTab, .banner, .error,
    ]

    @Test(arguments: Brand.all)
    func `the accent is red and the background white`(brand: Brand) {
        let accent = brand.palette.accent
        #expect(accent.red > 2 * max(accent.green, accent.blue))
        #expect(brand.palette.background == .white)
    }

    /// [WCAG 2.2, 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum).
    @Test(arguments: Brand.all)
    func `all text is readable in the colours of the design and in those of a terminal`(brand: Brand) {
        for style in Self.styles {
            let direct = CursesLook(style, brand.palette, .direct)
            let ratio = Self.color(direct.foreground).contrast(with: Self.color(direct.background))
            #expect(ratio >= 4.5, "\(style)")
            let indexed = CursesLook(style, brand.palette, .indexed)
            let nearest = ColorDepth.indexed(indexed.foreground).contrast(with: ColorDepth.indexed(indexed.background))
            #expect(nearest >= 4.5, "\(style)")
        }
    }

    /// [WCAG 2.2, 1.4.11](https://www.w3.org/TR/WCAG22/#non-text-contrast).
    @Test(arguments: Brand.all)
    func `every page has its own gradient, on which the circle and in which the symbol can be seen`(brand: Brand) throws
    {
        let gradients = try brand.pages.map { try #require($0.gradient) }
        #expect(Set(gradients).count == gradients.count)
        for gradient in gradients {
            #expect(gradient.start.contrast(with: .white) >= 4.5)
            #expect(gradient.color(at: 0.5).contrast(with: .white) >= 3)
        }
    }

    @Test func `the wordmark of the drivers' app has a truck`() {
        #expect(Brand.driver.symbolName == "truck.box.fill")
        #expect(Brand.customer.symbolName == nil)
        #expect(Brand.driver.pages[1].symbolName == "calendar.badge.clock")
    }

    @Test func `a terminal of 256 colours gets the nearest of them`() {
        let depth = ColorDepth.indexed
        #expect(depth.number(of: .white) == 231)
        #expect(depth.number(of: SRGBColor(red: 0, green: 0, blue: 0)) == 16)
        #expect(depth.number(of: SRGBColor(red: 0xDC, green: 0x26, blue: 0x26)) == 160)
        #expect(depth.number(of: SRGBColor(red: 0x80, green: 0x80, blue: 0x80)) == 244)
        for number in Int32(16)..<256 {
            #expect(ColorDepth.indexed(depth.number(of: ColorDepth.indexed(number))) == ColorDepth.indexed(number))
        }
    }

    @Test func `a terminal of 8 colours keeps its own background, and shows errors and the accent in its red`() {
        for style in [Style.wordmark, .button, .error] {
            let look = CursesLook(style, .umuve, .named)
            #expect(look.foreground == 1)
            #expect(look.background == ColorDepth.own)
        }
        let plain = CursesLook(.plain, .umuve, .named)
        #expect([plain.foreground, plain.background] == [ColorDepth.own, ColorDepth.own])
        #expect(ColorDepth.named.number(of: BrandPalette.umuve.banner) == 3)
    }

    @Test func `a terminal without colours gets none, and shows the focus by another attribute`() {
        for style in Self.styles {
            let look = CursesLook(style, .umuve, .none)
            #expect([look.foreground, look.background] == [ColorDepth.own, ColorDepth.own])
        }
        let focus = CursesLook(.focusedButton, .umuve, .none)
        #expect(focus.attributes != CursesLook(.button, .umuve, .none).attributes)
        #expect(CursesLook(.selectedTab, .umuve, .none).attributes != CursesLook(.tab, .umuve, .none).attributes)
        #expect(CursesLook(.banner, .umuve, .none).attributes != CursesLook(.plain, .umuve, .none).attributes)
    }

    /// Returns the colour with a number that is its components.
    private static func color(_ number: Int32) -> SRGBColor {
        SRGBColor(red: UInt8(number >> 16 & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
    }
}
