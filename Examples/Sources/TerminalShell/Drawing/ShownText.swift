// SPDX-License-Identifier: Apache-2.0

/// Untrusted text made safe to show: on one line, without terminal control characters or bidirectional controls.
enum ShownText {
    /// Returns the safe form of a text.
    ///
    /// - Parameters:
    ///   - text: The text from a server.
    ///   - limit: The maximum number of scalars.
    /// - Returns: The text, or nil if nothing of it remains.
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
