// SPDX-License-Identifier: Apache-2.0

import Foundation
import TerminalShell
import Testing
import UmuveBrands

extension TerminalSuite {
    @Suite("The storage of the session")
    struct SessionStorageTests {
        @Test func `a session in memory ends with the app and leaves no file but the settings`() async throws {
            try await ShellStage.run { stage in
                try await stage.launch { terminal in
                    try await terminal.signIn()
                    #expect(stage.filesAtHome == [".config/com.goumuve.app/app-settings.json"])
                    try await terminal.quit()
                }
                #expect(stage.filesAtHome == [".config/com.goumuve.app/app-settings.json"])
                #expect(stage.tokens.count == 1)
                #expect(stage.filesWithTokens.isEmpty)
                try await stage.launch { try await $0.wait(for: TerminalSession.signInButton) }
            }
        }

        @Test func `a session in the file is restored at the next launch and is not stored in plaintext`()
            async throws
        {
            try await ShellStage.run { stage in
                let passphrase = ["SALLYPORT_PASSPHRASE": "correct horse battery staple"]
                try await stage.launch(store: .file, environment: passphrase) { terminal in
                    try await terminal.signIn()
                    try await terminal.quit()
                }
                #expect(stage.tokens.count == 1)
                #expect(stage.filesWithTokens.isEmpty)
                try await stage.launch(store: .file, environment: passphrase) { terminal in
                    try await terminal.wait(for: Brand.customer.greeting)
                }
            }
        }
    }
}
