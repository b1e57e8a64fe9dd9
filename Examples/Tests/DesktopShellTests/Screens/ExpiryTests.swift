// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

extension DesktopSuite {
    @Suite("Expired tokens, and other devices")
    struct ExpiryTests {
        @Test func `the user does not see that access tokens expire`() async throws {
            try await DesktopStage.run(adjusting: { $0.accessTokenLifetime = .seconds(2) }) { stage in
                try await stage.launch(.business) { app in
                    try await stage.addAccount()
                    try await app.skipOnboarding(.business)
                    try await app.signInWithPassword()
                    try await app.wait(for: "Hello, Ada.")
                    try await waitUntil("the app has refreshed twice") {
                        stage.issued.all.count { $0.kind == .accessToken } > 2
                    }
                    let screen = try await app.wait(for: "One pickup is open.")
                    #expect(screen.contains("heading: Hello, Ada."))
                    #expect(!screen.contains { $0.hasPrefix("alert") || $0.contains("Offline") })
                }
            }
        }

        @Test func `a session that the server has ended leads to the sign-in, with the reason`() async throws {
            try await DesktopStage.launch(.business) { stage, app in
                try await stage.addAccount()
                try await app.skipOnboarding(.business)
                try await app.signInWithPassword()
                try await app.wait(for: "Hello, Ada.")
                try await stage.endSession()
                let screen = try await app.wait(for: "The server has ended your session. Sign in again.")
                #expect(screen.contains("button: Sign in"))
            }
        }

        @Test func `a sign-out on one device leaves another one signed in`() async throws {
            try await DesktopStage.launch { stage, first in
                try await first.signIn()
                try await stage.withSecondDevice { environment in
                    try await stage.launch(environment: environment) { second in
                        try await second.signIn()
                        try await first.signOut()
                        try await second.press("Refresh")
                        try await second.press("Settings")
                        try await second.wait(for: "Signed in as \(DesktopStage.userName)")
                    }
                }
            }
        }

        @Test func `a second start of the same profile shows the first one's window, and ends`() async throws {
            try await DesktopStage.launch { stage, first in
                try await first.signIn()
                try await stage.launch { second in
                    let code = try await second.waitForExit()
                    #expect(code == 0)
                }
                try await first.wait(for: Brand.customer.greeting)
            }
        }
    }
}
