// SPDX-License-Identifier: Apache-2.0

package import AuthCore

/// An untrusted text, made fit to be shown: bounded, on one line, without control characters and secrets.
package enum DisplayText {
    /// Cleans a text.
    ///
    /// - Parameters:
    ///   - text: The text. Untrusted.
    ///   - limit: The largest number of characters.
    ///   - echoes: The filter that withholds a text that repeats a secret. It checks the cleaned text, since only that
    ///     is shown.
    /// - Returns: The cleaned text; nil if nothing is left of it, or if it repeats a secret.
    package static func clean(_ text: String, limit: Int, hiding echoes: EchoFilter = EchoFilter([])) -> String? {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: text.unicodeScalars.lazy.filter(\.isVisible).prefix(limit))
        return result.isEmpty ? nil : echoes.passed(String(result))
    }

    /// Cleans an error's code.
    ///
    /// - Parameters:
    ///   - text: The code. Untrusted.
    ///   - known: The codes that are never withheld: a constant reveals nothing, and a session may depend on it.
    ///   - echoes: The filter that withholds any other code that repeats a secret.
    /// - Returns: The code; nil if nothing is left of it, or if it repeats a secret.
    package static func code<Code: RawRepresentable<String> & Hashable>(
        _ text: String,
        known: Set<Code>,
        hiding echoes: EchoFilter
    ) -> Code? {
        guard let text = clean(text, limit: 64), let code = Code(rawValue: text) else { return nil }
        return known.contains(code) || echoes.passed(text) != nil ? code : nil
    }
}
