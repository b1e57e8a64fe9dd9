extension QRCode {
    /// What the lines are made of.
    package enum Ink: Sendable {
        /// Black on white, whatever the terminal's own colours are.
        case colours
        /// Blocks alone, light where the terminal writes: right on a dark one, inverted on a light one.
        case blocks
    }

    /// The columns that its lines take.
    package var width: Int { modules.size + 2 * Self.quietZone }

    /// The code as lines of text, two rows of modules in each, with its quiet zone around.
    package func lines(_ ink: Ink) -> [String] {
        stride(from: -Self.quietZone, to: modules.size + Self.quietZone, by: 2).map { row in
            let columns = -Self.quietZone..<modules.size + Self.quietZone
            switch ink {
            case .colours:
                // The two of the cube of colours that no theme changes: 16 is black, 231 white.
                let line = String(columns.map { Self.block(isDark(row, $0), isDark(row + 1, $0)) })
                return "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m"
            case .blocks:
                return String(columns.map { Self.block(!isDark(row, $0), !isDark(row + 1, $0)) })
            }
        }
    }

    /// The light modules that a reader needs around a code (9.1).
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
