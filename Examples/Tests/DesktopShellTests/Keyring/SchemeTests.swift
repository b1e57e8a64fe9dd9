// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthUI
import Foundation
import Observation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite(
        "The sign-in by the app's own scheme",
        .enabled(if: SchemeProvider.isAvailable, "needs curl and python3-cryptography; Tests/run installs them")
    )
    struct SchemeTests {
        private static let browser = ["BROWSER": "true"]

        /// Begins a sign-in, and returns the address of its response.
        private func begin(_ app: DesktopApp, at provider: SchemeProvider) async throws -> String {
            try await app.press("Sign in")
            let screen = try await app.wait(for: provider.issuer)
            let line = try #require(screen.first { $0.contains(provider.issuer) })
            return try await provider.redirect(from: String(line.dropFirst("label: ".count)))
        }

        /// Returns the arguments of all processes of a program, as any user of the machine can read them.
        private static func arguments(of program: String) throws -> [String] {
            let found = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { process -> String? in
                guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline")) else { return nil }
                let text = String(decoding: data, as: UTF8.self)
                return text.hasPrefix(program + "\0") ? text : nil
            }
            try #require(!found.isEmpty)
            return found
        }

        @Test(arguments: [Brand.customer, .business])
        func `the running app receives the response, and a response with a wrong state changes nothing`(
            brand: Brand
        ) async throws {
            try await SchemeProvider.run(redirectURI: brand.redirectURI) { provider in
                try await DesktopStage.runWithKeyring { stage, _ in
                    let (options, browser) = (provider.options, Self.browser)
                    try await stage.launch(brand, store: .keyring, options: options, environment: browser) { app in
                        try await app.press("Skip")
                        let response = try await begin(app, at: provider)
                        try await app.open(response.replacing("state=", with: "state=x"))
                        try await app.wait(for: "Continue in the browser")
                        try await app.open(response)
                        try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                    }
                }
            }
        }

        @Test func `an app that was killed while the browser was open is started by the response, and signs in`()
            async throws
        {
            try await SchemeProvider.run(redirectURI: Brand.customer.redirectURI) { provider in
                try await DesktopStage.runWithKeyring { stage, _ in
                    var response = ""
                    try await stage.launch(store: .keyring, options: provider.options, environment: Self.browser) {
                        app in
                        try await app.press("Skip")
                        response = try await begin(app, at: provider)
                        try await app.send(SIGKILL)
                        _ = try await app.waitForExit()
                    }
                    // As the desktop entry of the package does.
                    let program = try Executable.besideTests(Brand.customer.executable).path
                    try await DesktopApp.run(program, [response], environment: stage.environment) { app in
                        try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                        let items = try #require(URLComponents(string: response)?.queryItems)
                        let code = try #require(items.first { $0.name == "code" }?.value)
                        #expect(try Self.arguments(of: program).allSatisfy { !$0.contains(code) })
                    }
                }
            }
        }

        @Test func `a signed-in app starts while its provider can't be reached, once the keyring is unlocked`()
            async throws
        {
            try await DesktopStage.runWithKeyring { stage, keyring in
                var options: [String] = []
                try await SchemeProvider.run(redirectURI: Brand.customer.redirectURI) { provider in
                    options = provider.options
                    try await stage.launch(store: .keyring, options: options, environment: Self.browser) { app in
                        try await app.press("Skip")
                        try await app.open(try await begin(app, at: provider))
                        try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                        try await app.quit()
                    }
                }
                try await stage.launch(store: .keyring, options: options) { app in
                    try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                    try await app.quit()
                }
                try await keyring.lock()
                try await stage.launch(store: .keyring, options: options) { app in
                    try await app.wait(for: "The keyring is locked")
                    try await keyring.unlock()
                    try await app.press("Try again")
                    try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                }
            }
        }

        @Test func `a sign-in at another provider that is cancelled does not hide the session`() async throws {
            let uri = Brand.customer.redirectURI
            try await SchemeProvider.run(redirectURI: uri) { first in
                try await SchemeProvider.run(redirectURI: uri) { second in
                    try await DesktopStage.runWithKeyring { stage, _ in
                        let browser = Self.browser
                        try await stage.launch(store: .keyring, options: first.options, environment: browser) { app in
                            try await app.press("Skip")
                            try await app.open(try await begin(app, at: first))
                            try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                            try await app.quit()
                        }
                        try await stage.launch(store: .keyring, options: second.options, environment: browser) { app in
                            _ = try await begin(app, at: second)
                            try await app.press("Cancel")
                            try await app.wait(without: "Cancel")
                            try await app.quit()
                        }
                        let program = try Executable.besideTests(Brand.customer.executable).path
                        try await DesktopApp.run(program, [], environment: stage.environment) { app in
                            try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                        }
                    }
                }
            }
        }

        @Test @MainActor func `of the addresses that come before the provider's description the last eight are kept`()
            throws
        {
            let options = try DesktopOptions.parse(["--issuer", "https://id.example.com", "--client-id", "native"])
            let launch = try Launch(.customer, options)
            let addresses = (1...20).map { "com.goumuve.app:/callback?code=\($0)" }
            for address in addresses { launch.open(address) }
            #expect(launch.waiting.map(\.absoluteString) == Array(addresses.suffix(8)))
        }

        @Test func `a brand that names a scheme without a dot gets the response by it`() async {
            // In a process of its own, whose environment and settings are no user's.
            await #expect(processExitsWith: .success) { try await DesktopSuite.Keyring.SchemeTests.signInByRecipe() }
        }

        private static func signInByRecipe() async throws {
            let home = try TemporaryFolder()
            defer { home.remove() }
            for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] { unsafe setenv(name, home.url.path(), 1) }
            unsafe setenv("BROWSER", "true", 1)
            let brand = Brand(
                name: "Recipes",
                wordmark: "recipes",
                bundleIdentifier: "com.example.recipes",
                redirectURI: "recipe://callback",
                role: "cook",
                pages: []
            )
            #expect(brand.callbackScheme == "recipe")
            try await SchemeProvider.run(redirectURI: brand.redirectURI) { try await signIn(to: brand, at: $0) }
        }

        @MainActor private static func signIn(to brand: Brand, at provider: SchemeProvider) async throws {
            let options = try DesktopOptions.parse(["--store", "memory"] + provider.options)
            let model = try AppModel(brand, options, at: try await options.provider(of: brand))
            await model.manager.restore()
            model.signIn()
            for await page in Observations({ model.page }) where page != nil { break }
            let response = try await provider.redirect(from: try #require(model.page))
            #expect(response.hasPrefix("recipe://callback?"))
            await model.open(try #require(URL(string: response.replacing("state=", with: "state=x"))))
            #expect(!model.manager.isAuthenticated)
            await model.open(try #require(URL(string: response)))
            #expect(model.name == SchemeProvider.userName)
        }

        @Test func `a cancelled sign-in is not finished by a late response`() async throws {
            try await SchemeProvider.run(redirectURI: Brand.customer.redirectURI) { provider in
                try await DesktopStage.runWithKeyring { stage, _ in
                    try await stage.launch(store: .keyring, options: provider.options, environment: Self.browser) {
                        app in
                        try await app.press("Skip")
                        let response = try await begin(app, at: provider)
                        try await app.press("Cancel")
                        try await app.wait(without: "Cancel")
                        try await app.open(response)
                        // The next sign-in ends after the app has handled the late response.
                        try await app.open(try await begin(app, at: provider))
                        let screen = try await app.wait(for: "Hello, \(SchemeProvider.userName).")
                        #expect(!screen.contains { $0.hasPrefix("alert") })
                        #expect(try await provider.tokenRequests() == 1)
                    }
                }
            }
        }
    }
}
