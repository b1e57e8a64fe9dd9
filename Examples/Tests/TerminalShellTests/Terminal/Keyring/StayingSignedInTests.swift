// SPDX-License-Identifier: Apache-2.0

import SharedTestSupport
import TerminalShell
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("Staying signed in")
    struct StayingSignedInTests {
        @Test(arguments: Brand.all)
        func `the next launch begins with the main screen`(brand: Brand) async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(brand, store: .keyring) { terminal in
                    try await terminal.signIn(brand)
                    try await terminal.quit()
                }
                try await stage.launch(brand, store: .keyring) { terminal in
                    try await terminal.wait(for: brand.greeting)
                    try await terminal.wait(for: ShellStage.userName)
                }
            }
        }

        @Test func `a locked keyring does not end the session, and the app continues once it is unlocked`()
            async throws
        {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await terminal.quit()
                }
                try await keyring.lock()
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.wait(for: "The keyring is locked.", below: "You are not signed out.")
                    try await keyring.unlock()
                    try await terminal.wait(for: Brand.customer.greeting)
                }
            }
        }

        @Test func `a new installation shows the onboarding to a user who is still signed in`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await terminal.quit()
                }
                try stage.removeSettings(of: .customer)
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.wait(for: Brand.customer.titles[0])
                    try await terminal.press("s")
                    try await terminal.wait(for: Brand.customer.greeting)
                }
            }
        }

        @Test func `the next launch after a sign-out shows the sign-in screen`() async throws {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await terminal.signOut()
                    try await terminal.quit()
                }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
                try await stage.launch(store: .keyring) { try await $0.wait(for: TerminalSession.signInButton) }
            }
        }
    }
}
