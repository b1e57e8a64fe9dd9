// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("The device's registration for notifications")
    struct DeviceRegistrationTests {
        private static let sentence = "The backend knows this device."

        /// The number of registrations that the running backend has accepted.
        private func registrations(_ stage: DesktopStage) -> Int {
            stage.backend.statistics.count("POST", "/api/notifications/token", status: 204)
        }

        private func waitForSentence(_ app: DesktopApp) async throws {
            try await app.press("Settings")
            try await app.wait(for: Self.sentence)
        }

        @Test(arguments: Brand.all)
        func `a device is registered once at the sign-in and once at each launch`(brand: Brand) async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.signIn(brand)
                    try await waitForSentence(app)
                    #expect(registrations(stage) == 1)
                    try await app.quit()
                }
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.wait(for: brand.greeting)
                    try await waitForSentence(app)
                    #expect(registrations(stage) == 2)
                    try await app.signOut()
                    try await app.press(DesktopApp.signInButton)
                    try await app.wait(for: brand.greeting)
                    try await waitForSentence(app)
                    #expect(registrations(stage) == 3)
                }
            }
        }

        @Test func `a device that was started offline is registered as soon as the server is back, and only then`()
            async throws
        {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await app.quit()
                }
                await stage.stop()
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: "Offline since")
                    try await app.press("Settings")
                    try await app.wait(for: "Signed in as")
                    try await stage.startAgain()
                    try await app.wait(for: Self.sentence)
                    #expect(registrations(stage) == 1)
                    await stage.stop()
                    try await app.wait(for: "Offline since")
                    try await stage.startAgain()
                    try await app.wait(without: "Offline since")
                    try await app.wait(for: Self.sentence)
                    #expect(registrations(stage) == 0)
                }
            }
        }

        @Test func `a session that was read after the keyring was unlocked registers once`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await stage.launch(store: .keyring) { app in
                    try await app.signIn()
                    try await waitForSentence(app)
                    try await app.quit()
                }
                try await keyring.lock()
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: "You are not signed out.")
                    #expect(registrations(stage) == 1)
                    try await keyring.unlock()
                    try await app.wait(for: Brand.customer.greeting)
                    try await waitForSentence(app)
                    #expect(registrations(stage) == 2)
                }
            }
        }
    }
}
