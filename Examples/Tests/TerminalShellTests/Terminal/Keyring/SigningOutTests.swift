// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import TerminalShell
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("Signing out")
    struct SigningOutTests {
        @Test func `a sign-out takes effect even if the user quits the app at once`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    // The button to sign out follows Refresh, which has the focus.
                    try await terminal.press("3", "Tab", "Enter", "q")
                    try await terminal.wait(for: "exit 0")
                }
                try await stage.launch(store: .keyring) { try await $0.wait(for: TerminalSession.signInButton) }
            }
        }

        @Test func `a sign-out takes effect even while the keyring is locked`() async throws {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await keyring.lock()
                    try await terminal.signOut()
                    try await terminal.quit()
                }
                try await keyring.unlock()
                try await stage.launch(store: .keyring) { try await $0.wait(for: TerminalSession.signInButton) }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
            }
        }
    }
}
