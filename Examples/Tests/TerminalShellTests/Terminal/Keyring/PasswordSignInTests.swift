// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import TerminalShell
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("A sign-in with a password")
    struct PasswordSignInTests {
        private static let wrong = "The e-mail address or the password is wrong."

        /// The items of the app in the keyring, with their attributes.
        private func items(in keyring: PrivateKeyring) async throws -> String {
            let found = try await keyring.secretTool(["search", "--all", "application", "sallyport"])
            return found.text + found.errorText
        }

        @Test func `a wrong password is explained, the right one signs in, and a restart restores the session`()
            async throws
        {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.showForm()
                    try await terminal.wait(for: "[x] Keep me signed in")
                    try await terminal.enter(email: ShellStage.accountEmail, password: "wrong horse")
                    let shown = try await terminal.wait(for: Self.wrong, below: TerminalSession.passwordButton)
                    #expect(!shown.contains("•"))
                    // The address stays, the password is gone, and the focus is on it.
                    try await terminal.wait(for: ShellStage.accountEmail)
                    try await terminal.wait(without: "•")
                    try await terminal.type(ShellStage.accountPassword)
                    try await terminal.press("Enter")
                    try await terminal.wait(for: "Hello, Ada.")
                    try await terminal.press("3")
                    try await terminal.wait(for: "The session is kept in the keyring.")
                    try await terminal.quit()
                }
                #expect(try await !items(in: keyring).isEmpty)
                try await stage.launch(.business, store: .keyring) { try await $0.wait(for: "Hello, Ada.") }
                #expect(stage.folder.files(containing: Data(ShellStage.accountPassword.utf8)).isEmpty)
            }
        }

        @Test func `a session that is not kept ends with the program and leaves nothing in the keyring`() async throws {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.showForm()
                    try await terminal.click(on: "Keep me signed in")
                    try await terminal.wait(for: "[ ] Keep me signed in")
                    try await terminal.click(on: "____")
                    try await terminal.enter(email: ShellStage.accountEmail, password: ShellStage.accountPassword)
                    try await terminal.wait(for: "Hello, Ada.")
                    try await terminal.press("3")
                    try await terminal.wait(for: "The session ends with this program.")
                    #expect(try await items(in: keyring).isEmpty)
                    try await terminal.quit()
                }
                #expect(try await items(in: keyring).isEmpty)
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.wait(for: TerminalSession.passwordButton)
                    try await terminal.wait(for: "[x] Keep me signed in")
                    try await terminal.wait(without: ShellStage.accountEmail)
                }
            }
        }

        @Test func `two sign-ins of an installation have one ID at the backend, and the file has it`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.addAccount()
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.showForm()
                    try await terminal.enter(email: ShellStage.accountEmail, password: ShellStage.accountPassword)
                    try await terminal.wait(for: "Hello, Ada.")
                    try await terminal.press("3")
                    try await terminal.wait(for: "[ Sign out ]")
                    try await terminal.press("Tab", "Enter")
                    try await terminal.wait(for: TerminalSession.passwordButton)
                    try await terminal.quitFromForm()
                }
                #expect(Set(try stage.installations) == [try stage.installationID])
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.wait(for: TerminalSession.passwordButton)
                    try await terminal.enter(email: ShellStage.accountEmail, password: ShellStage.accountPassword)
                    try await terminal.wait(for: "Hello, Ada.")
                }
                #expect(try stage.installations.count == 2)
                #expect(Set(try stage.installations) == [try stage.installationID])
            }
        }

        @Test func `a driver's account shows its role, also after a restart`() async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.addAccount(role: .driver)
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.showForm()
                    try await terminal.enter(email: ShellStage.accountEmail, password: ShellStage.accountPassword)
                    try await terminal.wait(for: "Hello, Ada.")
                    try await terminal.press("3")
                    try await terminal.wait(for: "Your account is registered as a driver.")
                    try await terminal.quit()
                }
                try await stage.launch(.business, store: .keyring) { terminal in
                    try await terminal.wait(for: "Hello, Ada.")
                    try await terminal.press("3")
                    try await terminal.wait(for: "Your account is registered as a driver.")
                }
            }
        }
    }
}

extension TerminalSession {
    /// Leaves the app from its form, where `q` is text in a field.
    fileprivate func quitFromForm() async throws {
        // From the first field to the button.
        try await press("BTab")
        try await quit()
    }
}
