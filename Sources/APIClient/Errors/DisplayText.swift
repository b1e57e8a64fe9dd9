// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// An untrusted text, made fit to be shown: bounded, on one line, without control characters.
package enum DisplayText {
    /// The part of a text that is looked at, in bytes: more than is ever shown.
    private static let maximumLength = 8_192

    /// Cleans a text.
    ///
    /// - Parameters:
    ///   - text: The text. Untrusted.
    ///   - limit: The largest number of characters.
    ///   - sent: The values that withhold a text that repeats one, before or after it is cleaned.
    /// - Returns: The cleaned text; nil if nothing is left of it, or if it is withheld.
    package static func clean(_ text: String, limit: Int, sent: SentValues = SentValues()) -> String? {
        let text = String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self)
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isVisible)))
        guard !visible.isEmpty, !sent.isRepeated(in: text, visible) else { return nil }
        return String(String.UnicodeScalarView(visible.unicodeScalars.prefix(limit)))
    }

    /// Cleans an error's code.
    ///
    /// - Parameters:
    ///   - text: The code. Untrusted.
    ///   - known: The codes that are never withheld: a constant reveals nothing, and a session may depend on it.
    ///   - sent: The values that withhold any other code that repeats one.
    /// - Returns: The code; nil if nothing is left of it, or if it is withheld.
    package static func code<Code: RawRepresentable<String> & Hashable>(
        _ text: String,
        known: Set<Code>,
        sent: SentValues
    ) -> Code? {
        if text.utf8.count <= 64, let code = Code(rawValue: text), known.contains(code) { return code }
        return clean(text, limit: 64, sent: sent).flatMap { Code(rawValue: $0) }
    }
}
