// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import TerminalOutput

/// The checks of `--scope`.
extension Scope {
    /// Returns the sentence about another separator than the space, with the option as it should be; nil for none.
    static func slip(in text: String) -> String? {
        respaced(text).map { "Scopes are separated by spaces alone: --scope \(ShellWord.quoted($0))" }
    }

    /// Refuses a list with a character that no scope has; throws `ValidationError`.
    static func check(_ text: String) throws {
        // Such values are left out, and each value is kept once.
        guard Scope(text).values.count < Set(text.split(separator: " ")).count else { return }
        throw ValidationError(slip(in: text) ?? "--scope has a character that no scope may have.")
    }
}
