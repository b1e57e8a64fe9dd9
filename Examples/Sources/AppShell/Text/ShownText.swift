// SPDX-License-Identifier: Apache-2.0

/// Untrusted text made safe to show: on one line, without control characters or bidirectional controls.
public enum ShownText {
    /// Returns the safe form of a text, of at most `limit` scalars; nil if nothing of it remains.
    public static func of(_ text: String, limit: Int = 300) -> String? {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return kept.isEmpty ? nil : String(String.UnicodeScalarView(kept.prefix(limit)))
    }
}
