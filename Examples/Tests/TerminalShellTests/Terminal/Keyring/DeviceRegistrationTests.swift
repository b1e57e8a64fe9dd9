// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import TerminalShell
import Testing
import UmuveBrands

extension TerminalSuite.Keyring {
    @Suite("The device's registration for notifications")
    struct DeviceRegistrationTests {
        private static let sentence = "The backend knows this device."

        /// The number of registrations that the running backend has accepted.
        private func registrations(_ stage: ShellStage) -> Int {
            stage.backend.statistics.count("POST", "/api/notifications/token", status: 204)
        }

        private func waitForSentence(_ terminal: TerminalSession) async throws {
            try await terminal.press("3")
            try await terminal.wait(for: Self.sentence)
        }

        @Test(arguments: Brand.all)
        func `a device is registered once at the sign-in and once at each launch`(brand: Brand) async throws {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(brand, store: .keyring) { terminal in
                    try await terminal.signIn(brand)
                    try await waitForSentence(terminal)
                    #expect(registrations(stage) == 1)
                    try await terminal.quit()
                }
                try await stage.launch(brand, store: .keyring) { terminal in
                    try await terminal.wait(for: brand.greeting)
                    try await waitForSentence(terminal)
                    #expect(registrations(stage) == 2)
                    try await terminal.signOut()
                    try await terminal.press("Enter")
                    try await terminal.wait(for: brand.greeting)
                    try await waitForSentence(terminal)
                    #expect(registrations(stage) == 3)
                }
            }
        }

        @Test func `a device that was started offline is registered as soon as the server is back, and only then`()
            async throws
        {
            try await ShellStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await terminal.quit()
                }
                await stage.stop()
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.wait(for: "Offline since")
                    try await terminal.press("3")
                    try await terminal.wait(for: "Signed in as")
                    try await stage.startAgain()
                    try await terminal.wait(for: Self.sentence)
                    #expect(registrations(stage) == 1)
                    await stage.stop()
                    try await terminal.wait(for: "Offline since")
                    try await stage.startAgain()
                    try await terminal.wait(without: "Offline since")
                    try await terminal.wait(for: Self.sentence)
                    #expect(registrations(stage) == 0)
                }
            }
        }

        @Test func `a session that was read after the keyring was unlocked registers once`() async throws {
            try await ShellStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.signIn()
                    try await waitForSentence(terminal)
                    try await terminal.quit()
                }
                try await keyring.lock()
                try await stage.launch(store: .keyring) { terminal in
                    try await terminal.wait(for: "You are not signed out.")
                    #expect(registrations(stage) == 1)
                    try await keyring.unlock()
                    try await terminal.wait(for: Brand.customer.greeting)
                    try await waitForSentence(terminal)
                    #expect(registrations(stage) == 2)
                }
            }
        }
    }
}
