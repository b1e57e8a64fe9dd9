// SPDX-License-Identifier: Apache-2.0

import AppShell
import CNcurses
import UmuveBrands

/// The appearance of a style on a terminal: the attributes, and the numbers of the colours.
struct CursesLook: Sendable, Hashable {
    private(set) var attributes: Int32 = 0
    private(set) var foreground = ColorDepth.own
    private(set) var background = ColorDepth.own

    /// Returns the appearance of a style.
    ///
    /// A terminal with exact colours gets those of the design, on the design's background. On any other terminal the
    /// background stays the user's, and only the accent, the banner and errors are coloured.
    ///
    /// - Parameters:
    ///   - style: The style.
    ///   - palette: The colours of the brand.
    ///   - depth: The colours of the terminal.
    init(_ style: Style, _ palette: BrandPalette, _ depth: ColorDepth) {
        attributes = Int32(Self.attributes(of: style, depth))
        let (text, back) = Self.colors(of: style, palette)
        switch depth {
        case .none: break
        case .indexed, .direct: (foreground, background) = (depth.number(of: text), depth.number(of: back))
        case .named:
            switch style {
            case .wordmark, .picture, .button, .focusedButton, .selectedTab, .cell:
                foreground = depth.number(of: palette.accent)
            case .error: foreground = depth.number(of: palette.error)
            case .banner: (foreground, background) = (depth.number(of: text), depth.number(of: back))
            case .plain, .dim, .title, .tab: break
            }
        }
    }

    private static func attributes(of style: Style, _ depth: ColorDepth) -> Int {
        switch style {
        case .plain, .picture, .button, .tab, .cell: 0
        // The design has a colour for it.
        case .dim: depth == .named ? SHELL_DIM : 0
        case .title, .wordmark, .error: SHELL_BOLD
        case .focusedButton, .selectedTab: depth.isExact ? SHELL_BOLD : SHELL_BOLD | SHELL_REVERSE
        case .banner: depth == .none ? SHELL_REVERSE : 0
        }
    }

    /// Returns the colours of the text and behind it.
    private static func colors(of style: Style, _ palette: BrandPalette) -> (SRGBColor, SRGBColor) {
        switch style {
        case .plain, .title, .tab: (palette.text, palette.background)
        case .dim: (palette.secondaryText, palette.background)
        case .wordmark, .picture, .button: (palette.accent, palette.background)
        case .focusedButton, .selectedTab: (palette.onAccent, palette.accent)
        case .banner: (palette.text, palette.banner)
        case .error: (palette.error, palette.background)
        case .cell(let colors): (colors.foreground, colors.background)
        }
    }
}
