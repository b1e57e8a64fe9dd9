// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

@testable import TerminalShell

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension TerminalSuite.Keyring {
    @Suite("The registration")
    struct RegistrationTests {
        private static let phoneField = "Phone number"
        private static let refusal = "Enter the phone number with its country code"

        /// Signs in as a driver whose account lacks a telephone number.
        private func signIn(_ terminal: TerminalSession) async throws {
            try await terminal.skipOnboarding(.driver)
            try await terminal.press("Enter")
            try await terminal.wait(for: Self.phoneField)
        }

        @Test func `a driver is asked for what is missing, also after the app was killed, until it is accepted`()
            async throws
        {
            try await ShellStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.driver, store: .keyring) { terminal in
                    try await signIn(terminal)
                    try await terminal.wait(for: "To get started, Umuve Pro needs your phone number.")
                    try await terminal.type("+1 415")
                    try await terminal.wait(for: "+1 415_")
                    try terminal.send(SIGKILL)
                    try await terminal.wait(for: "exit 137")
                }
                await stage.stop()
                try await stage.launch(.driver, store: .keyring) { terminal in
                    // The server has not responded: what is missing is known from the keyring.
                    try await terminal.wait(for: Self.phoneField)
                    try await stage.startAgain()
                    try await terminal.type("1")
                    try await terminal.press("Enter")
                    try await terminal.wait(for: Self.refusal, below: "[ Continue ]")
                    try await terminal.press("BSpace")
                    try await terminal.type("+1 (415) 555-0100")
                    try await terminal.press("Enter")
                    try await terminal.wait(for: Brand.driver.greeting)
                    try await terminal.quit()
                }
                await stage.stop()
                try await stage.launch(.driver, store: .keyring) { terminal in
                    try await terminal.wait(for: "[ Try again ]")
                    try await terminal.wait(for: "Offline since")
                    try await terminal.press("3")
                    try await terminal.wait(for: "Signed in as")
                }
            }
        }

        @Test func `a driver who doesn't want to go on signs out, and is asked again at the next sign-in`()
            async throws
        {
            try await ShellStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.driver, store: .keyring) { terminal in
                    try await signIn(terminal)
                    try await terminal.click(on: "[ Sign out ]")
                    try await terminal.wait(for: TerminalSession.signInButton)
                    try await terminal.press("Enter")
                    try await terminal.wait(for: Self.phoneField)
                }
            }
        }

        @Test func `a customer is not asked`() async throws {
            try await ShellStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.customer, store: .keyring) { try await $0.signIn(.customer) }
                #expect(stage.backend.statistics.count("PUT", "/api/me") == 0)
            }
        }

        @Test func `the plain shell asks line by line`() async throws {
            let size = ScreenSize(columns: 100, rows: 80)
            try await ShellStage.runWithKeyring(requiring: [.driver: [.phoneNumber]]) { stage, _ in
                try await stage.launch(.driver, store: .keyring, options: "--plain", size: size) { terminal in
                    try await terminal.choose("Skip", below: "Page 1 of 3")
                    try await terminal.choose("Sign in with Apple", below: "\(Brand.driver.name): sign in")
                    try await terminal.wait(for: "Type your phone number, then Enter. q quits.", below: "registration")
                    try await terminal.type("415 555 0100")
                    try await terminal.press("Enter")
                    try await terminal.wait(for: "Error: \(Self.refusal)")
                    try await terminal.wait(for: "Enter alone keeps 415 555 0100.")
                    try await terminal.type("+1 415 555 0100")
                    try await terminal.press("Enter")
                    try await terminal.wait(for: "Jobs.")
                }
            }
        }
    }
}
