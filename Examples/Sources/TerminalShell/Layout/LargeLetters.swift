// SPDX-License-Identifier: Apache-2.0

/// Letters with a height of three rows, for wordmarks.
enum LargeLetters {
    private static let letters: [Character: [String]] = [
        "b": ["┏┓ ", "┣┻┓", "┗━┛"],
        "i": ["╻", "┃", "╹"],
        "n": ["┏━┓", "┃ ┃", "╹ ╹"],
        "s": ["┏━╸", "┗━┓", "╺━┛"],
        "u": ["╻ ╻", "┃ ┃", "┗━┛"],
        "m": ["┏┳┓", "┃┃┃", "╹ ╹"],
        "v": ["╻ ╻", "┃┏┛", "┗┛ "],
        "e": ["┏━╸", "┣╸ ", "┗━╸"],
        "p": ["┏━┓", "┣━┛", "╹  "],
        "r": ["┏━┓", "┣┳┛", "╹┗╸"],
        "o": ["┏━┓", "┃ ┃", "┗━┛"],
        " ": ["  ", "  ", "  "],
    ]

    /// Returns the rows of a text in small letters, or nil if it has a letter that isn't available.
    static func rows(of text: String) -> [String]? {
        let known = text.lowercased().compactMap { letters[$0] }
        guard known.count == text.count, !known.isEmpty else { return nil }
        return (0..<3).map { row in known.map { $0[row] }.joined(separator: " ") }
    }
}
