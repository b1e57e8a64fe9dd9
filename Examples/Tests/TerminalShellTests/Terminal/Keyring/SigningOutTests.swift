import TerminalShell
import TestSupport
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("Signing out for good")
    struct SigningOutTests {
        @Test func `a sign-out holds, however quickly the app is left`() async throws {
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

        @Test func `a sign-out holds that finds the keyring locked`() async throws {
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
