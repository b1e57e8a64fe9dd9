// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthSession
import BackendTestSupport
import Foundation
import ReferenceBackend
import SecureStore
import SharedTestSupport
import Testing

/// Sign in with Apple whose redirect opens the app by its own scheme, with the backend and the stand-in.
@Suite("Sign in with Apple with a redirect to the app's scheme")
struct AppleSchemeTests {
    private static let redirectURI = "com.goumuve.app:/callback"

    /// An app and its backend.
    private struct App {
        let backend: ReferenceBackend
        let clock: TestClock
        let store = MemoryStore()

        var session: AuthSession {
            get throws {
                let url = try BaseURL("http://127.0.0.1:\(backend.port)")
                return AuthSession(backend: .firstParty(baseURL: url, contract: .sessionToken), store: store)
            }
        }

        /// Begins a sign-in, and returns the URL that the browser opens the app with.
        func redirect(email: String = "driver@example.com") async throws -> String {
            let url = try await session.beginAppleSignIn(clientID: Stage.customerApp, redirectURI: redirectURI)
            let (address, form) = try await AppleCurl.response(to: url, email: email)
            return try await AppleCurl.redirect(form, from: address)
        }
    }

    private func run(_ test: (App) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let clock = TestClock()
        var settings = BackendSettings(databasePath: folder.url.appending(path: "backend.sqlite").path())
        settings.now = { clock.now }
        settings.appleStandInPort = 0
        let backend = try await ReferenceBackend.start(settings)
        do {
            try await test(App(backend: backend, clock: clock))
        } catch {
            await backend.stop()
            throw error
        }
        await backend.stop()
    }

    @Test func `the next process completes the sign-in, once`() async throws {
        try await run { app in
            let url = try await app.redirect()
            #expect(url.hasPrefix(Self.redirectURI + "?"))
            let next = try app.session
            #expect(try await next.isSignInResponse(url))
            let user = try await next.completeSignIn(redirectedTo: url)
            #expect(user?.name == "Dana Driver")
            #expect(user?.email == "driver@example.com")
            await #expect(throws: AuthSessionError(.noPendingSignIn)) {
                try await app.session.completeSignIn(redirectedTo: url)
            }
        }
    }

    @Test func `another app's address and a forged state change nothing`() async throws {
        try await run { app in
            let url = try await app.redirect()
            let session = try app.session
            let other = url.replacing("com.goumuve.app", with: "com.goumuve.pro")
            await #expect(throws: AuthSessionError(.redirectMismatch)) {
                try await session.completeSignIn(redirectedTo: other)
            }
            await #expect(throws: AuthSessionError(.stateMismatch)) {
                try await session.completeSignIn(redirectedTo: url.replacing("state=", with: "state=x"))
            }
            #expect(try await session.completeSignIn(redirectedTo: url) != nil)
        }
    }

    @Test func `another sign-in's redirect can't be redeemed`() async throws {
        try await run { app in
            let first = try await app.redirect()
            let second = try await app.redirect()
            await #expect(throws: AuthSessionError(.stateMismatch)) {
                try await app.session.completeSignIn(redirectedTo: first)
            }
            // The thief's app has a pending sign-in of its own, and gives the stolen code its own state.
            let code = try #require(try /code=([^&]*)/.firstMatch(in: first)?.1)
            let own = try #require(try /code=([^&]*)/.firstMatch(in: second)?.1)
            await #expect(throws: AuthSessionError(.signInRefused)) {
                try await app.session.completeSignIn(redirectedTo: second.replacing(own, with: code))
            }
        }
    }

    @Test func `a redirect that comes a minute late is refused`() async throws {
        try await run { app in
            let url = try await app.redirect()
            app.clock.advance(by: .seconds(60))
            let error = await #expect(throws: AuthSessionError.self) {
                try await app.session.completeSignIn(redirectedTo: url)
            }
            #expect(error?.code == .signInRefused)
            #expect(error?.serverCode?.rawValue == "invalid_grant")
        }
    }
}
