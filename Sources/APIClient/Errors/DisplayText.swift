/// Text from outside that may be shown: bounded, on one line, without control characters.
package enum DisplayText {
    /// The cleaned text, or nil where nothing is left of it.
    package static func clean(_ text: String, limit: Int) -> String? {
        let kept = text.unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        var result = String.UnicodeScalarView()
        result.append(contentsOf: kept.prefix(limit))
        return result.isEmpty ? nil : String(result)
    }
}
