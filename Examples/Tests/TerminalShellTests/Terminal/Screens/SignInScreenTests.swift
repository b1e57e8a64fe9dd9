// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("The sign-in screen")
    struct SignInScreenTests {
        @Test func `an error is shown below the button if the backend can't be reached`() async throws {
            try await ShellStage.run { stage in
                // No server listens at the port of "discard".
                try await stage.launch(backend: "http://127.0.0.1:9") { terminal in
                    try await terminal.skipOnboarding()
                    try await terminal.press("Enter")
                    try await terminal.wait(
                        for: "Something went wrong. Try again.",
                        below: TerminalSession.signInButton
                    )
                }
                // No browser was sent there.
                #expect(!stage.hasIdentityToken)
            }
        }

        @Test func `the reason is shown below the button if the user is registered with the other app`() async throws {
            try await ShellStage.run { stage in
                try await stage.launch(.customer) { try await $0.signIn(.customer) }
                try await stage.launch(.driver) { terminal in
                    try await terminal.skipOnboarding(.driver)
                    try await terminal.press("Enter")
                    try await terminal.wait(
                        for: "This account is registered as a customer. Contact support to become a driver.",
                        below: TerminalSession.signInButton
                    )
                }
            }
        }

        @Test func `Esc cancels a sign-in whose browser never returns, and no error is shown`() async throws {
            try await ShellStage.launch(environment: ["BROWSER": "true"]) { _, terminal in
                try await terminal.skipOnboarding()
                try await terminal.press("Enter")
                try await terminal.wait(for: "Finish signing in in the browser")
                try await terminal.press("Escape")
                let below = try await terminal.wait(for: "q quit", below: TerminalSession.signInButton)
                #expect(below == "Enter sign in · q quit")
            }
        }

        @Test(arguments: ["/nonexistent", "true"])
        func `the address on the screen works if no browser opens or the browser fails`(browser: String) async throws {
            try await ShellStage.launch(environment: ["BROWSER": browser]) { _, terminal in
                try await terminal.skipOnboarding()
                try await terminal.press("Enter")
                let words = try await terminal.wait(for: "[ Cancel ]", below: "No browser? Open on this machine:")
                let address = try #require(words.components(separatedBy: " [ Cancel ]").first)
                let browser = try await Command(ShellStage.browser, [address.filter { $0 != " " }]).run()
                #expect(browser.exitCode == 0, "\(browser.errorText)")
                try await terminal.wait(for: Brand.customer.greeting)
            }
        }
    }
}
