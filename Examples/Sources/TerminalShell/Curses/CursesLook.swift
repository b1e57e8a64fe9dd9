import CNcurses

/// The appearance of a style on a terminal, with and without colours.
struct CursesLook {
    /// A colour pair, in the order of creation.
    private enum Pair: Int16 {
        case none
        case accent
        case banner
        case error
    }

    let attributes: Int32
    let pair: Int16

    /// Returns the foreground and background of each pair; -1 is the terminal's own colour.
    static func pairs(accent: Int32) -> [Int16] {
        [Int16(accent), -1, Int16(COLOR_BLACK), Int16(COLOR_YELLOW), Int16(COLOR_RED), -1]
    }

    init(_ style: Style, isColoured: Bool) {
        let (attributes, pair): (Int, Pair) =
            switch style {
            case .plain: (0, .none)
            case .dim: (isColoured ? SHELL_DIM : 0, .none)
            case .title: (SHELL_BOLD, .none)
            case .wordmark: (SHELL_BOLD, .accent)
            case .picture: (0, .accent)
            case .button: (0, .accent)
            case .focusedButton: (SHELL_BOLD | SHELL_REVERSE, .accent)
            case .tab: (0, .none)
            case .selectedTab: (SHELL_BOLD | SHELL_REVERSE, .accent)
            case .banner: (isColoured ? 0 : SHELL_REVERSE, .banner)
            case .error: (SHELL_BOLD, .error)
            }
        self.attributes = Int32(attributes)
        self.pair = isColoured ? pair.rawValue : 0
    }
}
