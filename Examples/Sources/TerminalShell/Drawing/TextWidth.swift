// SPDX-License-Identifier: Apache-2.0

/// The width of text on a terminal, with cutting and wrapping.
enum TextWidth {
    /// Returns the number of columns of a line.
    static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// Returns a line cut to a number of columns, with an ellipsis if it was longer.
    static func cut(_ text: String, to limit: Int) -> String {
        guard limit > 0 else { return "" }
        guard columns(text) > limit else { return text }
        var kept = "", room = limit - 1
        for character in text {
            room -= columns(character)
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// Returns lines of at most a number of columns, broken between words, and inside a word if it is too long.
    static func wrap(_ text: String, to limit: Int) -> [String] {
        guard limit > 0 else { return [] }
        var lines: [String] = [], line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, columns(line) + 1 + columns(String(word)) <= limit {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if !line.isEmpty, columns(line) + columns(character) > limit {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Returns the columns of a character as ncurses counts them, scalar by scalar.
    ///
    /// A line that ncurses counts as wider would run over the right margin.
    private static func columns(_ character: Character) -> Int {
        let columns = character.unicodeScalars.reduce(0) { $0 + self.columns($1) }
        // The emoji presentation: many terminals draw it in two columns, although ncurses counts one.
        return character.unicodeScalars.contains("\u{FE0F}") ? max(2, columns) : columns
    }

    /// Returns 0 for a combining mark, 2 for East Asian characters and pictures, and otherwise 1.
    ///
    /// A spacing mark, for example a vowel of Hindi, counts as a letter.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if joined.contains(where: { $0.contains(scalar.value) }) { return 0 }
        // Half a flag takes one column, although the whole flag is a picture.
        if flags.contains(scalar.value) { return 1 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The vowels and finals of Korean syllables, which join the preceding consonant.
    private static let joined: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FB]

    private static let flags: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    /// The large blocks of wide characters ([Unicode Standard Annex 11](https://www.unicode.org/reports/tr11/)).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x1F300...0x1F64F,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
