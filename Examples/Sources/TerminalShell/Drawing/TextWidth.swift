/// How much room text takes on a terminal, and how it is made to fit.
enum TextWidth {
    /// The columns of a line.
    static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + columns($1) }
    }

    /// A line that is no wider than so many columns, with an ellipsis where it was.
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

    /// Lines that are no wider than so many columns, broken between words, and inside of one that is too long by itself.
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

    /// As ncurses counts, which puts each scalar into columns by itself.
    ///
    /// A line that is wider there than here would run over the right margin.
    private static func columns(_ character: Character) -> Int {
        let columns = character.unicodeScalars.reduce(0) { $0 + self.columns($1) }
        // Asked for as a picture, which many a terminal draws in two where ncurses counts one.
        return character.unicodeScalars.contains("\u{FE0F}") ? max(2, columns) : columns
    }

    /// None for what is drawn over the letter before, two for East Asian writing and pictures.
    ///
    /// A mark with room of its own, as the vowels of Hindi have, counts as a letter.
    private static func columns(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if joined.contains(where: { $0.contains(scalar.value) }) { return 0 }
        // Half a flag has a column, although the whole is a picture.
        if flags.contains(scalar.value) { return 1 }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// The vowels and finals of Korean syllables, which join the consonant before.
    private static let joined: [ClosedRange<UInt32>] = [0x1160...0x11FF, 0xD7B0...0xD7FB]

    private static let flags: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    /// [Unicode Standard Annex 11](https://www.unicode.org/reports/tr11/), the large blocks.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x1F300...0x1F64F,
        0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]
}
