// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSessionTests
@testable import AuthUI
@testable import OpenIDSession
@testable import OpenIDSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The message that a user sees after a failed sign-in, and the details that are not shown.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct ShownErrorTests {
    /// The status of the response; nil if the connection is refused.
    @Test(arguments: [nil, 500, 503] as [Int?])
    func `an unavailable backend shows the same message for every cause`(status: Int?) async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        await manager.restore()
        fixture.backend.on(Backend.login) { request in
            guard let status else { return try await Backend.unreachable(request) }
            return Backend.failure(status, code: "down", message: "The database is down.")
        }
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(!manager.isAuthenticated)
        #expect(!manager.isLoading)
    }

    /// The body of the response; nil if the store is locked.
    @Test(
        arguments: ["<html>", "{}", #"{"accessToken": "a", "tokenType": "Bearer", "expiresIn": 900}"#, nil] as [String?]
    )
    func `an invalid response and a failing store show the same message`(body: String?) async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        await manager.restore()
        if let body {
            fixture.backend.on(Backend.login) { _ in .json(body) }
        } else {
            fixture.store.faults.failAll(with: SecureStoreError(.locked))
        }
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(!manager.isAuthenticated)
    }

    @Test func `a sign-in with Apple whose response has no token shows the same message`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = AuthenticationManager(session: fixture.session)
        await manager.restore()
        fixture.backend.on(Backend.apple) { _ in .json(#"{"success": true}"#) }
        await manager.signIn { try await $0.signIn(with: Fixture.credential(), for: AppleSignInAttempt()) }
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(!manager.isAuthenticated)
    }

    @Test func `a sign-in with a password without a device says nothing about contracts, and sends nothing`()
        async throws
    {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session)
        await manager.restore()
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("role_conflict", "This account is registered as a driver. Contact support to become a customer."),
            ("invalid_credentials", "The e-mail address or the password is wrong."),
            ("invalid_request", "Something went wrong. Try again."),
        ]
    )
    func `a refused sign-in shows the sentence of the server's code, by the app's role`(
        code: String,
        sentence: String
    ) async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(
            session: fixture.session,
            device: Fixture.device,
            message: { AuthenticationManager.message(for: $0, role: "customer") }
        )
        await manager.restore()
        fixture.backend.on(Backend.login) { _ in
            .json(#"{"error":{"code":"\#(code)"}}"#, status: 400)
        }
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.errorMessage == sentence)
        #expect(!manager.isAuthenticated)
    }

    @Test func `a sign-in that a sign-out supersedes shows no error`() async throws {
        let fixture = try Fixture()
        let manager = AuthenticationManager(session: fixture.session, device: Fixture.device)
        let gate = fixture.holdSignIn()
        let signIn = Task { await manager.signIn(email: "ada@example.org", password: Password("p")) }
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        await signIn.value
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        #expect(manager.state == .signedOut(.userSignedOut))
    }

    @Test func `a denial on the other device counts as cancelled and shows no error`() async throws {
        let fixture = try await ProviderFixture()
        let manager = AuthenticationManager(session: fixture.session)
        await manager.restore()
        let denied = Event()
        let signIn = Task {
            await manager.signIn { [provider = fixture.provider] session in
                try await session.signInWithDeviceCode { device in
                    provider.denyDevice(userCode: device.userCode)
                    denied.happen()
                }
            }
        }
        await denied.wait()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        await signIn.value
        #expect(fixture.provider.requests(at: .token).count == 1)
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        #expect(!manager.isAuthenticated)
    }

    @Test func `a provider without a discovery document shows the same message`() async throws {
        let manager = AuthenticationManager(session: try Fixture().session)
        var settings = ProviderSettings()
        settings.transport = ScriptedTransport { _ in .json("{}", status: 404) }
        await manager.signIn { [settings] _ in
            let issuer = try Issuer("https://provider.example")
            _ = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"), settings: settings)
        }
        #expect(manager.errorMessage == "Something went wrong. Try again.")
    }

    @Test(
        arguments: [
            (CancellationError(), nil), (PINError(), "Something went wrong. Try again."),
            (CardError(), "The card is blocked."),
        ] as [(any Error, String?)]
    )
    func `an error of the app's own sign-in decides how it is shown`(error: any Error, expected: String?) async throws {
        let manager = AuthenticationManager(session: try Fixture().session)
        await manager.restore()
        await manager.signIn { _ in throw error }
        #expect(manager.errorMessage == expected)
        #expect(!manager.isLoading)
    }

    @Test func `an app shows sentences of its own`() async throws {
        let manager = AuthenticationManager(session: try Fixture().session, message: { "[\($0)]" })
        await manager.signIn { _ in throw AuthSessionError(.busy) }
        #expect(manager.errorMessage == "[Another process holds the session's lock.]")
    }

    private struct PINError: Error {}

    private struct CardError: LocalizedError {
        var errorDescription: String? { "The card is blocked." }
    }
}
