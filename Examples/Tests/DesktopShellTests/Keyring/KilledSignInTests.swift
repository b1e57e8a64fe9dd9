// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing
import UmuveBrands

@testable import DesktopShell

extension DesktopSuite.Keyring {
    /// The app is killed before it has a session: the next start shows the sign-in, and a new sign-in works.
    @Suite("A sign-in whose app was killed")
    struct KilledSignInTests {
        private func beginSignIn(_ brand: Brand, _ app: DesktopApp) async throws {
            if brand == .business {
                try await app.signInWithPassword()
            } else {
                try await app.press(DesktopApp.signInButton)
            }
        }

        private func kill(_ app: DesktopApp) async throws {
            try await app.send(SIGKILL)
            _ = try await app.waitForExit()
        }

        /// Starts the app again, and signs in.
        private func signInAgain(_ brand: Brand, on stage: DesktopStage) async throws {
            try await stage.launch(brand, store: .keyring) { app in
                try await app.wait(for: brand == .business ? "E-mail address" : DesktopApp.signInButton)
                try await beginSignIn(brand, app)
                try await app.wait(for: brand == .business ? "Hello, Ada." : brand.greeting)
            }
        }

        @Test func `while the browser was open`() async throws {
            try await DesktopStage.runWithKeyring { stage, _ in
                try await stage.launch(store: .keyring, environment: ["BROWSER": "true"]) { app in
                    try await app.skipOnboarding()
                    try await beginSignIn(.customer, app)
                    try await app.wait(for: "Continue in the browser")
                    try await kill(app)
                }
                try await signInAgain(.customer, on: stage)
            }
        }

        @Test(arguments: [(Brand.customer, IssuedToken.Kind.sessionToken), (.business, .refreshToken)])
        func `while the backend held its response`(brand: Brand, last: IssuedToken.Kind) async throws {
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            try await PrivateKeyring.with { keyring in
                try await DesktopStage.run(
                    with: keyring,
                    adjusting: { settings in
                        let onIssue = settings.onIssue
                        settings.onIssue = { token in
                            await onIssue?(token)
                            if token.kind == last { for await _ in released {} }
                        }
                    }
                ) { stage in
                    defer { release.finish() }
                    try await stage.addAccount()
                    try await stage.launch(brand, store: .keyring) { app in
                        try await app.skipOnboarding(brand)
                        try await beginSignIn(brand, app)
                        try await waitUntil("the backend has issued the token") {
                            stage.issued.all.contains { $0.kind == last }
                        }
                        try await kill(app)
                    }
                    release.finish()
                    try await signInAgain(brand, on: stage)
                }
            }
        }
    }
}
