// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite {
    @Suite("The sign-in screen")
    struct SigningInTests {
        private static let general = "Something went wrong. Try again."

        @Test(arguments: Brand.all) func `the wordmark is above one button`(brand: Brand) async throws {
            try await DesktopStage.launch(brand) { _, app in
                try await app.skipOnboarding(brand)
                let screen = try await app.wait(for: DesktopApp.signInButton)
                #expect(screen.filter { $0.hasPrefix("button") } == ["button: \(DesktopApp.signInButton)"])
                let wordmark = try #require(screen.firstIndex(of: "heading: \(brand.wordmark)"))
                let button = try #require(screen.firstIndex(of: "button: \(DesktopApp.signInButton)"))
                #expect(wordmark < button)
            }
        }

        @Test func `an error is shown below the button if the backend can't be reached`() async throws {
            try await DesktopStage.run { stage in
                // No server listens at the port of "discard".
                try await stage.launch(backend: "http://127.0.0.1:9") { app in
                    try await app.skipOnboarding()
                    try await app.press(DesktopApp.signInButton)
                    #expect(try await app.wait(for: Self.general, below: DesktopApp.signInButton))
                    try await app.wait(forColour: Brand.customer.palette.error.hex)
                }
                // No browser was sent there.
                #expect(!stage.hasIdentityToken)
            }
        }

        @Test func `a backend that is down is asked three times, and one sentence says so`() async throws {
            let server = try ScriptedServer { try $0.respond(503) }
            try await DesktopStage.run { stage in
                try await stage.launch(backend: "http://\(server.authority)") { app in
                    try await app.skipOnboarding()
                    try await app.press(DesktopApp.signInButton)
                    let screen = try await app.wait(for: Self.general)
                    #expect(screen.filter { $0.hasPrefix("alert") } == ["alert: \(Self.general)"])
                    #expect(server.requests.count == 3)
                }
            }
        }

        @Test func `a driver at the customer's app reads the backend's sentence`() async throws {
            try await DesktopStage.run { stage in
                try await stage.launch(.driver) { try await $0.signIn(.driver) }
                try await stage.launch(.customer) { app in
                    try await app.skipOnboarding()
                    try await app.press(DesktopApp.signInButton)
                    let sentence = "This account is registered as a driver. Contact support to become a customer."
                    #expect(try await app.wait(for: sentence, below: DesktopApp.signInButton))
                }
            }
        }

        @Test func `Escape cancels a sign-in whose browser never returns, and no error is shown`() async throws {
            try await DesktopStage.launch(environment: ["BROWSER": "true"]) { _, app in
                try await app.skipOnboarding()
                try await app.press(DesktopApp.signInButton)
                try await app.wait(for: "Continue in the browser")
                try await app.pressKey("Escape")
                let screen = try await app.wait(for: DesktopApp.signInButton)
                #expect(!screen.contains { $0.hasPrefix("alert") })
            }
        }

        @Test func `the address on the screen works if no browser opens`() async throws {
            try await DesktopStage.launch(environment: ["BROWSER": "/nonexistent"]) { _, app in
                try await app.skipOnboarding()
                try await app.press(DesktopApp.signInButton)
                try await finish(app)
            }
        }

        /// Opens the address on the screen in a browser, which signs in.
        private func finish(_ app: DesktopApp) async throws {
            let screen = try await app.wait(for: "http://127.0.0.1")
            #expect(!screen.contains { $0.hasPrefix("alert") })
            let line = try #require(screen.first { $0.contains("http://") })
            let address = String(line.drop { $0 != ":" }.dropFirst(2))
            let browser = try await Command(DesktopStage.browser, [address]).run()
            #expect(browser.exitCode == 0, "\(browser.errorText)")
            try await app.wait(for: Brand.customer.greeting)
        }

        @Test func `an address of another program changes and shows nothing, and a pending sign-in goes on`()
            async throws
        {
            try await DesktopStage.launch(environment: ["BROWSER": "true"]) { _, app in
                try await app.skipOnboarding()
                try await app.press(DesktopApp.signInButton)
                try await app.wait(for: "http://127.0.0.1")
                for address in ["com.goumuve.app:/callback?code=1&state=2", "com.goumuve.app:/", "file:///etc/passwd"] {
                    try await app.open(address)
                }
                try await finish(app)
            }
        }
    }
}
