// SPDX-License-Identifier: Apache-2.0

extension QRCode {
    /// The style of the lines.
    package enum Ink: Sendable {
        /// Black on white, independent of the terminal's colours.
        case colours
        /// Block characters without colours. The code is inverted on a terminal with a light background.
        case blocks
    }

    /// The width of the lines in columns.
    package var width: Int { modules.size + 2 * Self.quietZone }

    /// Returns the code as lines of text with two rows of modules each, including the quiet zone.
    package func lines(_ ink: Ink) -> [String] {
        stride(from: -Self.quietZone, to: modules.size + Self.quietZone, by: 2).map { row in
            let columns = -Self.quietZone..<modules.size + Self.quietZone
            switch ink {
            case .colours:
                // No theme changes these two colours of the 6x6x6 cube: 16 is black, 231 is white.
                let line = String(columns.map { Self.block(isDark(row, $0), isDark(row + 1, $0)) })
                return "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m"
            case .blocks:
                return String(columns.map { Self.block(!isDark(row, $0), !isDark(row + 1, $0)) })
            }
        }
    }

    /// The number of light modules around a code (9.1).
    private static let quietZone = 4

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        let all = 0..<modules.size
        return all.contains(row) && all.contains(column) && modules[row, column]
    }

    private static func block(_ upper: Bool, _ lower: Bool) -> Character {
        switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
