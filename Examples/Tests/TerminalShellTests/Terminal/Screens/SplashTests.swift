// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import TerminalShell
import Testing

extension TerminalSuite {
    @Suite("The splash screen")
    struct SplashTests {
        @Test func `the splash screen stays until the keyring times out, and no sign-out is shown`() async throws {
            try await ShellStage.run { stage in
                let socket = stage.folder.url.appending(path: "mute")
                let mute = try UnixSocket.mute(at: socket)
                defer { withExtendedLifetime(mute) {} }
                let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(socket.path())"]
                try await stage.launch { try await $0.skipOnboarding() }
                try await stage.launch(store: .keyring, environment: bus) { terminal in
                    try await terminal.wait(for: "Opening Umuve")
                    try await terminal.wait(for: "The store did not respond in time.", below: "You are not signed out.")
                }
            }
        }
    }
}
