// SPDX-License-Identifier: Apache-2.0

import CNcurses
import UmuveBrands

/// The colours of ncurses: pairs of a foreground and a background, each made when it is first drawn.
@MainActor
final class CursesColors {
    private struct Pair: Hashable {
        let foreground: Int32
        let background: Int32
    }

    let depth: ColorDepth
    private let palette: BrandPalette
    private var pairs: [Pair: Int16] = [:]
    private var looks: [Style: CursesLook] = [:]

    /// Sets up the colours of the terminal that ncurses has taken over.
    ///
    /// - Parameters:
    ///   - palette: The colours of the brand.
    ///   - isColoured: Whether colours are wanted.
    init(_ palette: BrandPalette, isColoured: Bool) {
        self.palette = palette
        depth =
            switch isColoured ? Int(shell_curses_colors()) : 0 {
            case SHELL_DIRECT_COLORS: .direct
            case 256...: .indexed
            case 8...: .named
            default: .none
            }
        // The whole screen gets the design's background.
        if depth.isExact { shell_curses_background(pair(of: look(of: .plain))) }
    }

    /// Returns the appearance of a style.
    func look(of style: Style) -> CursesLook {
        if let look = looks[style] { return look }
        let look = CursesLook(style, palette, depth)
        looks[style] = look
        return look
    }

    /// Returns the number of the pair of an appearance; 0, the terminal's own colours, if ncurses has no more pairs.
    func pair(of look: CursesLook) -> Int16 {
        let pair = Pair(foreground: look.foreground, background: look.background)
        guard pair != Pair(foreground: ColorDepth.own, background: ColorDepth.own) else { return 0 }
        if let number = pairs[pair] { return number }
        let next = Int16(clamping: pairs.count + 1)
        let number = shell_curses_pair(next, pair.foreground, pair.background) ? next : 0
        pairs[pair] = number
        return number
    }
}
