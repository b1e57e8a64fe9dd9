// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    /// The items and settings of the apps' first versions, under the names that the apps have today.
    @Suite("Upgrading from the first version")
    struct FirstVersionTests {
        private static func attributes(_ service: String, _ account: String) -> [String] {
            ["service", service, "account", account]
        }

        private func store(_ attributes: [String], _ secret: String, in keyring: PrivateKeyring) async throws {
            let stored = try await keyring.secretTool(["store", "--label=x"] + attributes, input: secret)
            try #require(stored.exitCode == 0, "\(stored.errorText)")
        }

        /// Writes the plain settings of an older version.
        private func write(_ settings: String, of brand: Brand, on stage: DesktopStage) throws {
            let file = stage.settingsFile(of: brand)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try Data(settings.utf8).write(to: file)
        }

        /// Stores a token and a user ID in each known place of a brand.
        private func fill(_ brand: Brand, _ token: String, on stage: DesktopStage, _ keyring: PrivateKeyring)
            async throws
        {
            for service in brand.legacyServices {
                for (account, secret) in [("authToken", token), ("userId", "\(token)-user")] {
                    try await store(Self.attributes(service, account), secret, in: keyring)
                    try await store(["service", service, "username", account], "stale-\(secret)", in: keyring)
                    let own = ["application", "sallyport", "service", service, "account", "default", "key", account]
                    try await store(own, secret, in: keyring)
                }
            }
            try write(#"{"theme":"dark","authToken":"\#(token)","userId":42}"#, of: brand, on: stage)
        }

        /// Expects that the keyring and the settings hold nothing of an older version, nor a session.
        private func expectNothing(of brand: Brand, on stage: DesktopStage, _ keyring: PrivateKeyring) async throws {
            for service in brand.legacyServices {
                let left = try await keyring.secretTool(["search", "--all", "service", service])
                #expect((left.text + left.errorText).isEmpty)
            }
            let data = try Data(contentsOf: stage.settingsFile(of: brand))
            let settings = try JSONSerialization.jsonObject(with: data) as? [String: Any]
            #expect(settings?["authToken"] == nil)
            #expect(settings?["userId"] == nil)
            #expect(settings?["theme"] as? String == "dark")
        }

        @Test(arguments: Brand.all)
        func `a token and a user ID under the app's own service are migrated, and removed`(brand: Brand) async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: brand)
                try await store(Self.attributes(brand.bundleIdentifier, "authToken"), token, in: keyring)
                try await store(Self.attributes(brand.bundleIdentifier, "userId"), "first", in: keyring)
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.wait(for: brand.titles[0])
                    try await app.press("Skip")
                    try await app.wait(for: brand.greeting)
                    try await app.wait(for: DesktopStage.userName)
                    try await app.quit()
                }
                for account in ["authToken", "userId"] {
                    let found = try await keyring.secretTool(
                        ["lookup"] + Self.attributes(brand.bundleIdentifier, account)
                    )
                    #expect(found.text.isEmpty)
                }
                // The session is stored with the server's user, so its name shows without the server.
                await stage.stop()
                try await stage.launch(brand, store: .keyring) { try await $0.wait(for: DesktopStage.userName) }
            }
        }

        @Test(arguments: Brand.all)
        func `a sign-out removes all that older versions left in every known place`(brand: Brand) async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                try await fill(brand, stage.token(for: brand), on: stage, keyring)
                try await stage.launch(brand, store: .keyring) { app in
                    try await app.wait(for: brand.titles[0])
                    try await app.press("Skip")
                    try await app.wait(for: brand.greeting)
                    try await app.signOut()
                    try await app.quit()
                }
                try await expectNothing(of: brand, on: stage, keyring)
                try await stage.launch(brand, store: .keyring) { try await $0.wait(for: DesktopApp.signInButton) }
            }
        }

        @Test func `a sign-out while the keyring is locked removes it all once the keyring is unlocked`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: .customer)
                try await store(Self.attributes("com.goumuve.app", "authToken"), token, in: keyring)
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: Brand.customer.titles[0])
                    try await app.press("Skip")
                    try await app.wait(for: Brand.customer.greeting)
                    // Another version of the app writes meanwhile.
                    try await fill(.customer, "another-token", on: stage, keyring)
                    try await keyring.lock()
                    try await app.signOut()
                    try await app.quit()
                }
                try await keyring.unlock()
                // That version's settings don't bring the onboarding back.
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: DesktopApp.signInButton)
                    try await app.quit()
                }
                try await expectNothing(of: .customer, on: stage, keyring)
            }
        }

        @Test func `the driver's app shows no second onboarding`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: .driver)
                try await store(Self.attributes("com.goumuve.pro", "authToken"), token, in: keyring)
                try write(#"{"hasCompletedDriverOnboarding":true,"theme":"dark"}"#, of: .driver, on: stage)
                try await stage.launch(.driver, store: .keyring) { app in
                    try await app.wait(for: Brand.driver.greeting)
                    try await app.signOut()
                    try await app.quit()
                }
                try await stage.launch(.driver, store: .keyring) {
                    try await $0.wait(for: DesktopApp.signInButton)
                }
            }
        }
    }
}
