package import AuthCore

/// Text from outside that may be shown: bounded, on one line, without control characters and without secrets.
package enum DisplayText {
    /// Cleans a text.
    ///
    /// - Parameters:
    ///   - text: The text. From outside.
    ///   - limit: The most characters of it.
    ///   - echoes: Withholds a text that repeats a secret. Asked about what is left of the text, for nothing else is shown.
    /// - Returns: The cleaned text; nil if nothing is left of it, or if it repeats a secret.
    package static func clean(_ text: String, limit: Int, hiding echoes: EchoFilter = EchoFilter([])) -> String? {
        let kept = text.unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: kept.prefix(limit))
        return result.isEmpty ? nil : echoes.passed(String(result))
    }
}
