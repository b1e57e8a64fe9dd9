/// A user's name from outside, made safe to store and to show.
struct AccountName: Sendable {
    /// The name: 1 to 200 bytes, without control characters, on one line.
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
        guard !clean.isEmpty else { return nil }
        self.text = clean
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        // The joiners are part of the spelling in some scripts. The other marks are invisible.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }
}
