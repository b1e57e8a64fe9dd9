// SPDX-License-Identifier: Apache-2.0

/// Unique random names of letters and digits, for drafts, notes and tests; not secret.
package enum RandomName {
    /// Creates a name.
    package static func make() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }

    /// Returns whether a text has the form of such a name.
    static func isOne(_ text: some StringProtocol) -> Bool {
        UInt64(text, radix: 36) != nil && !text.hasPrefix("+")
    }
}
