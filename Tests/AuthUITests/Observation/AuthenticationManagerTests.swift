// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import Crypto
import Observation
import SecureStore
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// A session as screens observe it.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AuthenticationManagerTests {
    private func manager(_ fixture: Fixture) -> AuthenticationManager {
        AuthenticationManager(session: fixture.session, device: Fixture.device)
    }

    /// Waits until an observed condition is true, as a screen would: without polling.
    private func seen(_ condition: @escaping @MainActor @Sendable () -> Bool) async {
        for await isSo in Observations({ condition() }) where isSo { return }
    }

    @Test func `a manager is loading at first and shows the user after the restore`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = AuthenticationManager(session: try fixture.otherProcess())
        #expect(manager.isLoading)
        #expect(!manager.isAuthenticated)
        #expect(manager.currentUser == nil)
        await manager.session.restore(validating: false)
        await seen { manager.isAuthenticated }
        #expect(!manager.isLoading)
        #expect(manager.currentUser?.displayName == "Ada Lovelace")
        #expect(!manager.isOffline)
        #expect(manager.errorMessage == nil)
    }

    @Test func `a sign-in and a sign-out are observed as they happen`() async throws {
        let fixture = try Fixture()
        let manager = manager(fixture)
        await manager.restore()
        #expect(!manager.isAuthenticated)
        let gate = fixture.holdSignIn()
        let signIn = Task { await manager.signIn(email: "ada@example.org", password: Password("p")) }
        await gate.waitForArrival()
        await seen { manager.isLoading }
        #expect(!manager.isAuthenticated)
        gate.open()
        await seen { manager.isAuthenticated }
        await signIn.value
        #expect(!manager.isLoading)
        #expect(manager.isAuthenticated)
        #expect(manager.currentUser?.id == "u1")
        await manager.signOut()
        #expect(!manager.isAuthenticated)
        #expect(manager.currentUser == nil)
    }

    @Test func `a rejected sign-in shows the server's message until the next attempt`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = manager(fixture)
        let sentence = "This account is registered as a customer. Contact support to become a driver."
        fixture.backend.on(Backend.apple) { _ in
            .json(#"{"success": false, "error": {"code": "role_conflict", "message": "\#(sentence)"}}"#, status: 409)
        }
        let request = Request()
        manager.handleAppleSignInRequest(request)
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        #expect(manager.errorMessage == sentence)
        #expect(!manager.isAuthenticated)
        fixture.backend.on(Backend.apple) { _ in Backend.sessionToken(1, user: true) }
        manager.handleAppleSignInRequest(request)
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        #expect(manager.errorMessage == nil)
        #expect(manager.isAuthenticated)
    }

    private final class Request: AppleIDRequest {
        var nonce: String?
    }

    @Test func `each request to Apple has its own nonce, and the backend receives its raw form`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = manager(fixture)
        let (first, second) = (Request(), Request())
        manager.handleAppleSignInRequest(first)
        manager.handleAppleSignInRequest(second)
        #expect(first.nonce != second.nonce)
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        let raw = try #require(try fixture.transport.requests.last?.members["nonce"]?.string)
        #expect(Hexadecimal.encode(Array(SHA256.hash(data: Array(raw.utf8)))) == second.nonce)
    }

    @Test func `a response from Apple is used only once`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = manager(fixture)
        manager.handleAppleSignInRequest(Request())
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        let count = fixture.transport.requests.count
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        #expect(fixture.transport.requests.count == count)
        #expect(manager.isAuthenticated)
    }

    @Test func `a cancelled Apple request does not affect the next one`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = manager(fixture)
        manager.handleAppleSignInRequest(Request())
        manager.handleAppleSignInRequest(Request())
        await manager.handleAppleSignInCompletion(.failure(CancellationError()))
        await manager.handleAppleSignInCompletion(.success(try Fixture.credential()))
        #expect(manager.isAuthenticated)
    }

    @Test func `a cancelled sign-in shows no error`() async throws {
        let fixture = try Fixture(.sessionToken)
        let manager = manager(fixture)
        await manager.restore()
        manager.handleAppleSignInRequest(Request())
        await manager.handleAppleSignInCompletion(.failure(CancellationError()))
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `the offline state shows its date, and retry validates at once`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let manager = manager(fixture)
        fixture.backend.on(Backend.validate) { _ in throw TransportError(.timedOut, mayHaveReachedServer: false) }
        await fixture.session.validate()
        await seen { manager.isOffline }
        #expect(manager.offlineSince == fixture.clock.date)
        #expect(manager.isAuthenticated)
        #expect(manager.currentUser?.id == "u1")
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Backend.user)}"#) }
        await manager.retry()
        #expect(!manager.isOffline)
    }

    @Test func `a sign-out that the store did not complete shows an error`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = manager(fixture)
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await manager.signOut()
        #expect(!manager.isAuthenticated)
        #expect(manager.errorMessage == "Signed out here. The keyring is locked.")
    }

    @Test func `a failed sign-out from a locked store does not claim that the user is signed out`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = AuthenticationManager(session: try fixture.otherProcess())
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await manager.signOut()
        #expect(manager.state == .locked(SecureStoreError(.locked)))
        #expect(manager.errorMessage == "The keyring is locked.")
    }

    @Test func `a sign-in does not wait for an earlier sign-out to reach the server`() async throws {
        let fixture = try await Fixture.signedIn()
        let manager = manager(fixture)
        let gate = Gate()
        fixture.backend.on(Backend.logout) { _ in
            await gate.pass()
            throw TransportError(.timedOut, mayHaveReachedServer: true)
        }
        let signOut = Task { await manager.signOut() }
        await gate.waitForArrival()
        await seen { !manager.isAuthenticated }
        #expect(!manager.isLoading)
        await manager.signIn(email: "ada@example.org", password: Password("p"))
        #expect(manager.isAuthenticated)
        gate.open()
        await signOut.value
        #expect(manager.isAuthenticated)
        #expect(manager.errorMessage == nil)
    }

    @Test func `a sign-out shows loading until the local session has ended`() async throws {
        let gate = Gate()
        var options = SessionOptions.still
        options.willSignOut = { await gate.pass() }
        let fixture = try await Fixture.signedIn(options: options)
        let manager = manager(fixture)
        let signOut = Task { await manager.signOut() }
        await gate.waitForArrival()
        #expect(manager.isLoading)
        #expect(manager.isAuthenticated)
        gate.open()
        await signOut.value
        #expect(!manager.isLoading)
    }

    @Test func `a completed profile is shown at once, and a refused one shows the server's sentence`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let manager = manager(fixture)
        fixture.backend.on("/api/me") { _ in
            Backend.failure(422, code: "invalid_profile", message: "Enter the phone number with its country code.")
        }
        await manager.updateProfile(phoneNumber: "1")
        #expect(manager.errorMessage == "Enter the phone number with its country code.")
        #expect(manager.currentUser?.phoneNumber == nil)
        fixture.backend.on("/api/me") { _ in
            .json(#"{"success": true, "user": {"id": "u1", "phoneNumber": "+14155550100"}}"#)
        }
        await manager.updateProfile(phoneNumber: "+14155550100")
        #expect(manager.errorMessage == nil)
        #expect(manager.currentUser?.phoneNumber == "+14155550100")
    }

    @Test func `an error without a user-facing message shows a generic one`() async throws {
        struct Odd: Error {}
        let manager = manager(try Fixture())
        await manager.signIn { _ in throw Odd() }
        #expect(manager.errorMessage == "Something went wrong. Try again.")
    }

    @Test func `an unused manager is deallocated`() async throws {
        let fixture = try Fixture()
        weak var gone: AuthenticationManager?
        do {
            let manager = manager(fixture)
            await manager.restore()
            gone = manager
        }
        await settle()
        #expect(gone == nil)
    }
}
