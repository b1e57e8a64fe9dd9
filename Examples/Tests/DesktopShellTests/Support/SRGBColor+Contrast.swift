// SPDX-License-Identifier: Apache-2.0

import AppShell
import Foundation

extension SRGBColor {
    /// The relative luminance, from 0 for black to 1 for white.
    ///
    /// [WCAG 2.2](https://www.w3.org/TR/WCAG22/#dfn-relative-luminance).
    private var luminance: Double {
        func linear(_ component: UInt8) -> Double {
            let value = Double(component) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast ratio with another color, from 1 to 21.
    ///
    /// [WCAG 2.2](https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
    func contrast(with other: SRGBColor) -> Double {
        let (darker, lighter) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }
}
