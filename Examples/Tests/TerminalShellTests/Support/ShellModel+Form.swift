// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Testing
import UmuveBrands

@testable import TerminalShell

extension ShellModel {
    /// The sign-in screen of the app with passwords.
    static var atForm: ShellModel { standing(.signedOut(.noSession), brand: .business) }

    /// Types a text, key by key.
    mutating func type(_ text: String) {
        for scalar in text.unicodeScalars { _ = handle(.key(.character(Character(scalar)))) }
    }
}
