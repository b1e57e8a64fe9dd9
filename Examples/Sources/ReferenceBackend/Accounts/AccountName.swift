// SPDX-License-Identifier: Apache-2.0

/// A user's name from outside, made safe to store and to show.
struct AccountName: Sendable {
    /// The name: 1 to 200 bytes, with a visible character, without control characters, on one line.
    let text: String

    /// The maximum length, in bytes.
    static let longest = 200

    /// Cleans a name.
    ///
    /// Control characters, line separators and the marks that change the direction of the text around them become
    /// spaces; runs of spaces become one. A name that is too long is cut at a character: Apple sends it only once, so
    /// to refuse it would lose it.
    ///
    /// - Parameter text: The name. Untrusted.
    init?(_ text: String) {
        // Read up to a bound, because cleaning takes time.
        let scalars = text.unicodeScalars.prefix(4 * Self.longest).map { Self.isShown($0) ? $0 : " " }
        var clean = ""
        clean.unicodeScalars.append(contentsOf: scalars)
        clean = clean.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        while clean.utf8.count > Self.longest { clean.removeLast() }
        clean = clean.trimmed
        guard Self.isVisible(clean) else { return nil }
        self.text = clean
    }

    /// Returns whether a character can be part of a name on one line.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // The joiners are part of the spelling in some scripts. The other marks are invisible.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Returns whether a text has a character that can be seen.
    static func isVisible(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            // Ignorable characters have no glyph; U+2800 has an empty one.
            isShown(scalar) && !scalar.properties.isWhitespace && !scalar.properties.isDefaultIgnorableCodePoint
                && scalar != "\u{2800}"
        }
    }
}
