// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("The registration")
    struct RegistrationTests {
        private static let field = "Phone number with its country code"

        /// Signs in as a driver whose account lacks a telephone number.
        private func signIn(_ app: DesktopApp) async throws {
            try await app.skipOnboarding(.driver)
            try await app.press(DesktopApp.signInButton)
            try await app.wait(for: "To get started, Umuve Pro needs your phone number.")
            #expect(try await app.unnamed() == [])
        }

        @Test func `a driver is asked for what is missing, also after the app was killed, until it is accepted`()
            async throws
        {
            try await DesktopStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.driver, store: .keyring) { app in
                    try await signIn(app)
                    try await app.type("+1 415", into: Self.field)
                    try await app.send(SIGKILL)
                    _ = try await app.waitForExit()
                }
                await stage.stop()
                try await stage.launch(.driver, store: .keyring) { app in
                    // The server has not responded: what is missing is known from the keyring.
                    try await app.wait(for: Self.field)
                    try await stage.startAgain()
                    try await app.type("123", into: Self.field)
                    try await app.press("Continue")
                    let refusal = "Enter the phone number with its country code"
                    #expect(try await app.wait(for: refusal, below: "Continue"))
                    try await app.type("+1 (415) 555-0100", into: Self.field)
                    try await app.press("Continue")
                    try await app.wait(for: Brand.driver.greeting)
                    try await app.quit()
                }
                await stage.stop()
                try await stage.launch(.driver, store: .keyring) { app in
                    try await app.wait(for: "Offline since")
                    try await app.press("Settings")
                    try await app.wait(for: "Signed in as")
                }
            }
        }

        @Test func `a driver who doesn't want to go on signs out, and is asked again at the next sign-in`()
            async throws
        {
            try await DesktopStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.driver, store: .keyring) { app in
                    try await signIn(app)
                    try await app.press("Sign out")
                    try await app.press(DesktopApp.signInButton)
                    try await app.wait(for: Self.field)
                }
            }
        }

        @Test func `a customer is not asked`() async throws {
            try await DesktopStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.customer, store: .keyring) { try await $0.signIn(.customer) }
                #expect(stage.backend.statistics.count("PUT", "/api/me") == 0)
            }
        }
    }
}
