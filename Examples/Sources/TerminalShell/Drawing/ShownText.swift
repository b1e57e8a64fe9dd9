/// Text from outside as it may be shown: on one line, without what drives a terminal or turns the writing round.
enum ShownText {
    /// Makes such a text.
    ///
    /// - Parameters:
    ///   - text: What a server says.
    ///   - limit: How many scalars of it are shown at most.
    /// - Returns: The text; nil where nothing is left of it.
    static func of(_ text: String, limit: Int = 300) -> String? {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept.prefix(limit)))
    }
}
