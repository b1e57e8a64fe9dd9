// SPDX-License-Identifier: Apache-2.0

import Testing
import UmuveBrands

@testable import TerminalShell

extension TerminalSuite {
    @Suite("The greeting")
    struct GreetingTests {
        /// Apple sends the name at the first sign-in alone.
        @Test(arguments: Brand.all)
        func `the app greets the user by name, also after the second sign-in`(brand: Brand) async throws {
            try await ShellStage.launch(brand) { _, terminal in
                try await terminal.signIn(brand)
                try await terminal.wait(for: "Hello, Dana Driver.")
                try await terminal.signOut()
                try await terminal.press("Enter")
                try await terminal.wait(for: "Hello, Dana Driver.")
            }
        }
    }
}
