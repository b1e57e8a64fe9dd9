// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite {
    @Suite("The storage of the session")
    struct SessionStorageTests {
        @Test func `a session in memory ends with the app and leaves no file but the settings`() async throws {
            try await DesktopStage.run { stage in
                try await stage.launch { app in
                    try await app.signIn()
                    #expect(stage.filesAtHome == [".config/com.goumuve.app/app-settings.json"])
                    try await app.quit()
                }
                #expect(stage.filesAtHome == [".config/com.goumuve.app/app-settings.json"])
                #expect(stage.tokens.count == 1)
                #expect(stage.filesWithTokens.isEmpty)
                try await stage.launch { try await $0.wait(for: DesktopApp.signInButton) }
            }
        }

        @Test func `a session in the file is restored at the next launch and is not stored in plaintext`()
            async throws
        {
            try await DesktopStage.run { stage in
                let passphrase = ["SALLYPORT_PASSPHRASE": "correct horse battery staple"]
                try await stage.launch(store: .file, environment: passphrase) { app in
                    try await app.signIn()
                    try await app.quit()
                }
                #expect(stage.tokens.count == 1)
                #expect(stage.filesWithTokens.isEmpty)
                try await stage.launch(store: .file, environment: passphrase) { app in
                    try await app.wait(for: Brand.customer.greeting)
                }
                try await stage.launch(store: .file, environment: ["SALLYPORT_PASSPHRASE": "another"]) { app in
                    try await app.wait(for: "You are not signed out.")
                    try await app.wait(for: "Quit, and start again with the right SALLYPORT_PASSPHRASE.")
                }
            }
        }

        @Test func `a machine without a keyring gets a hint to use the file store`() async throws {
            try await DesktopStage.run { stage in
                try await stage.launch(store: .keyring) { app in
                    try await app.wait(for: Brand.customer.titles[0])
                    try await app.press("Skip")
                    let screen = try await app.wait(for: "Start it with --store file.")
                    #expect(screen.contains("heading: There is no keyring here."))
                    #expect(!screen.contains { $0.contains("You are not signed out.") || $0.contains("Unlock") })
                }
            }
        }
    }
}
