// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("Staying signed in")
    struct StayingSignedInTests {
        @Test(arguments: Brand.all)
        func `the next launch begins with the main screen, also offline`(brand: Brand) async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.signIn(brand)
                    try await app.quit()
                }
                await stage.stop()
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.wait(for: brand.greeting)
                    try await app.wait(for: "Offline since")
                    try await stage.startAgain()
                    try await app.wait(without: "Offline since")
                }
                #expect(stage.filesWithTokens.isEmpty)
            }
        }

        /// Runs a test with an app that is started on a locked keyring, after a sign-in.
        private func launchLocked(
            _ test: (DesktopApp, PrivateKeyring) async throws -> Void
        ) async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await app.quit()
                }
                try await keyring.lock()
                try await stage.launch(store: .keyring) { app in
                    let screen = try await app.wait(for: "The keyring is locked.")
                    #expect(screen.contains("heading: You are not signed out."))
                    #expect(try await app.unnamed() == [])
                    try await test(app, keyring)
                }
            }
        }

        @Test func `a locked keyring does not end the session, and the app continues once it is unlocked`()
            async throws
        {
            try await launchLocked { app, keyring in
                try await keyring.unlock()
                try await app.wait(for: Brand.customer.greeting)
            }
        }

        @Test(.enabled(if: KeyringPrompter.isAvailable, "needs python3-secretstorage; Tests/run installs it"))
        func `the button asks for the keyring's password, and leads on`() async throws {
            try await launchLocked { app, keyring in
                let prompter = try await KeyringPrompter(keyring, .password)
                try await app.press("Unlock keyring")
                try await app.wait(for: Brand.customer.greeting)
                #expect(await prompter.leave() == 1)
            }
        }

        @Test(.enabled(if: KeyringPrompter.isAvailable, "needs python3-secretstorage; Tests/run installs it"))
        func `a user who closes the prompt can ask for it again`() async throws {
            try await launchLocked { app, keyring in
                let closing = try await KeyringPrompter(keyring, .cancel)
                try await app.press("Unlock keyring")
                try await closing.waitForPrompt()
                try await app.wait(for: "Unlock keyring")
                await closing.leave()
                let prompter = try await KeyringPrompter(keyring, .password)
                try await app.press("Unlock keyring")
                try await app.wait(for: Brand.customer.greeting)
                await prompter.leave()
            }
        }

        @Test(.enabled(if: PrivatePortal.executable != nil, "needs xdg-desktop-portal; Tests/run installs it"))
        func `in a sandbox the session is in the file under the portal's key, and a restart restores it`()
            async throws
        {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let portal = try await PrivatePortal(keyring)
                let snap = try Executable.besideTests(Brand.customer.executable).deletingLastPathComponent().path
                let sandbox = ["SNAP": snap, "SNAP_NAME": "umuve", "GTK_USE_PORTAL": "0"]
                try await stage.launch(store: nil, environment: sandbox) { app in
                    try await app.signIn()
                    try await app.press("Settings")
                    try await app.wait(for: "encrypted under this app's key in your keyring")
                    try await app.quit()
                }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
                #expect(stage.filesWithTokens.isEmpty)
                try await stage.launch(store: nil, environment: sandbox) { app in
                    try await app.wait(for: Brand.customer.greeting)
                    try await app.quit()
                }
                await portal.stop()
            }
        }

        @Test func `a new installation shows the onboarding to a user who is still signed in`() async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await app.quit()
                }
                try stage.removeSettings(of: .customer)
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: Brand.customer.titles[0])
                    try await app.press("Skip")
                    try await app.wait(for: Brand.customer.greeting)
                }
            }
        }

        @Test func `a restart of the keyring's daemon is not seen`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await keyring.kill()
                    try await keyring.start(.unlocked)
                    try await app.press("Refresh")
                    try await app.wait(for: Brand.customer.greeting)
                    try await app.signOut()
                    try await app.quit()
                }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
            }
        }

        @Test func `a sign-out leaves nothing in the keyring, and the next launch shows the sign-in`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await app.signOut()
                    try await app.quit()
                }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
                try await stage.launch(store: .keyring) { try await $0.wait(for: DesktopApp.signInButton) }
            }
        }
    }
}
