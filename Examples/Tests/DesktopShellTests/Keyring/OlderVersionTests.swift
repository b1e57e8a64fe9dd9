// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    @Suite("Upgrading from an older version")
    struct OlderVersionTests {
        /// Starts the app for the first time in this version, and expects that no sign-in is required.
        private func expectSignedIn(_ brand: Brand, on stage: DesktopStage) async throws {
            try await stage.launch(brand, store: .keyring) { app in
                try await app.wait(for: brand.titles[0])
                try await app.press("Skip")
                try await app.wait(for: brand.greeting)
                try await app.quit()
            }
        }

        /// Returns whether the keyring holds the current version's session.
        private func hasSession(_ brand: Brand, in keyring: PrivateKeyring) async throws -> Bool {
            let attributes = ["application", "sallyport", "service", brand.bundleIdentifier, "key", "session"]
            return try await !keyring.secretTool(["lookup"] + attributes).text.isEmpty
        }

        @Test(arguments: Brand.all)
        func `a token under the legacy name in the keyring is migrated, and the user is signed in`(
            brand: Brand
        ) async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: brand)
                let service = try #require(brand.legacyServices.last)
                let older = [
                    "application", "sallyport", "service", service, "account", "default", "key", "authToken",
                ]
                try #require(
                    await keyring.secretTool(["store", "--label=x"] + older, input: token).exitCode == 0
                )
                try await expectSignedIn(brand, on: stage)
                let left = try await keyring.secretTool(["search", "--all", "service", service])
                #expect((left.text + left.errorText).isEmpty)
                #expect(try await hasSession(brand, in: keyring))
            }
        }

        @Test(arguments: Brand.all)
        func `a token in plain settings is migrated, and the other settings stay`(brand: Brand) async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: brand)
                let file = stage.settingsFile(of: brand)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(),
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try Data(#"{"theme": "dark", "authToken": "\#(token)"}"#.utf8).write(to: file)
                try await expectSignedIn(brand, on: stage)
                #expect(keyring.files(containing: Data(token.utf8)).isEmpty)
                let left = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
                #expect(left?["authToken"] == nil)
                #expect(left?["theme"] as? String == "dark")
                #expect(try await hasSession(brand, in: keyring))
            }
        }

        @Test func `a legacy token is not migrated to another profile`() async throws {
            try await DesktopStage.runWithKeyring { stage, keyring in
                let token = try await stage.token(for: .customer)
                let service = try #require(Brand.customer.legacyServices.last)
                for account in ["default", "guest"] {
                    let older = [
                        "application", "sallyport", "service", service, "account", account, "key", "authToken",
                    ]
                    try #require(await keyring.secretTool(["store", "--label=x"] + older, input: token).exitCode == 0)
                }
                try await stage.launch(store: .keyring, options: ["--profile", "guest"]) { app in
                    try await app.wait(for: Brand.customer.titles[0])
                    try await app.press("Skip")
                    try await app.wait(for: DesktopApp.signInButton)
                    try await app.quit()
                }
                try await stage.launch(store: .keyring) { try await $0.wait(for: Brand.customer.greeting) }
            }
        }
    }
}
