// SPDX-License-Identifier: Apache-2.0

import AppShell
import Testing
import UmuveBrands

@testable import DesktopShell

@Suite("The colours of the brands")
struct PaletteTests {
    @Test(arguments: Brand.all)
    func `the accent is red and the background white`(brand: Brand) {
        let accent = brand.palette.accent
        #expect(accent.red > 2 * max(accent.green, accent.blue))
        #expect(brand.palette.background == .white)
    }

    /// [WCAG 2.2, 1.4.3](https://www.w3.org/TR/WCAG22/#contrast-minimum).
    @Test(arguments: Brand.all)
    @MainActor func `all text is readable, on the desktop's dark background too`(brand: Brand) {
        let palette = brand.palette
        let dark = SRGBColor(red: 0x24, green: 0x24, blue: 0x24)
        for (text, background) in [
            (palette.text, palette.background), (palette.secondaryText, palette.background),
            (palette.error, palette.background), (palette.onAccent, palette.accent), (palette.text, palette.banner),
            (StyleSheet.accent(of: palette, isDark: false), palette.background),
            (StyleSheet.accent(of: palette, isDark: true), dark),
        ] {
            #expect(text.contrast(with: background) >= 4.5, "\(text) on \(background)")
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
}
