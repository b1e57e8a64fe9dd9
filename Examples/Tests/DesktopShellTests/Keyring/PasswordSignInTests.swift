// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("A sign-in with a password")
    struct PasswordSignInTests {
        /// The items of the app in the keyring, with their attributes.
        private func items(in keyring: PrivateKeyring) async throws -> String {
            let found = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
            return found.text + found.errorText
        }

        @Test func `the address stays after a refusal, and a restart restores the session`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.skipOnboarding(.business)
                    try await app.type(DesktopStage.accountEmail, into: "E-mail address")
                    try await app.type("wrong horse", into: "Password")
                    try await app.press("Sign in")
                    #expect(try await app.wait(for: "The e-mail address or the password is wrong.", below: "Sign in"))
                    try await app.type(DesktopStage.accountPassword, into: "Password")
                    try await app.press("Sign in")
                    try await app.wait(for: "Hello, Ada.")
                    try await app.press("Settings")
                    try await app.wait(for: "The session is kept in the keyring")
                    try await app.quit()
                }
                #expect(try await !items(in: keyring).isEmpty)
                try await stage.launch(.business, store: .keyring) { try await $0.wait(for: "Hello, Ada.") }
                #expect(stage.folder.files(containing: Data(DesktopStage.accountPassword.utf8)).isEmpty)
            }
        }

        @Test func `a session that is not kept ends with the program and leaves nothing in the keyring`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.skipOnboarding(.business)
                    try await app.reach("Keep me signed in", pressing: "space")
                    try await app.signInWithPassword()
                    try await app.wait(for: "Hello, Ada.")
                    try await app.press("Settings")
                    try await app.wait(for: "The session ends with this program.")
                    #expect(try await items(in: keyring).isEmpty)
                    try await app.quit()
                }
                #expect(try await items(in: keyring).isEmpty)
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.press("Sign in")
                    // Nothing of the last sign-in is in the form.
                    try await app.wait(for: "Type your e-mail address.")
                }
            }
        }

        @Test func `two sign-ins of an installation have one ID at the backend, and the file has it`() async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.skipOnboarding(.business)
                    try await app.signInWithPassword()
                    try await app.wait(for: "Hello, Ada.")
                    try await app.signOut(.business)
                    try await app.quit()
                }
                #expect(Set(try stage.installations) == [try stage.installationID])
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.signInWithPassword()
                    try await app.wait(for: "Hello, Ada.")
                }
                #expect(try stage.installations.count == 2)
                #expect(Set(try stage.installations) == [try stage.installationID])
            }
        }

        @Test func `a driver's account shows its role, also after a restart`() async throws {
            let sentence = "Your account is registered as a driver."
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.addAccount(role: .driver)
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.skipOnboarding(.business)
                    try await app.signInWithPassword()
                    try await app.press("Settings")
                    try await app.wait(for: sentence)
                    try await app.quit()
                }
                try await stage.launch(.business, store: .keyring) { app in
                    try await app.press("Settings")
                    try await app.wait(for: sentence)
                }
            }
        }
    }
}
