// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("Signing out")
    struct SigningOutTests {
        @Test func `a sign-out takes effect even if the user quits the app as the screen changes`() async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await app.press("Settings")
                    try await app.press("Sign out")
                    try await app.wait(without: "Sign out")
                    try await app.quit()
                }
                try await stage.launch(store: .keyring) { try await $0.wait(for: DesktopApp.signInButton) }
            }
        }

        @Test func `a sign-out takes effect even while the keyring is locked`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await keyring.lock()
                    try await app.signOut()
                    try await app.quit()
                }
                try await keyring.unlock()
                try await stage.launch(store: .keyring) { try await $0.wait(for: DesktopApp.signInButton) }
                let stored = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
                #expect((stored.text + stored.errorText).isEmpty)
            }
        }
    }
}
