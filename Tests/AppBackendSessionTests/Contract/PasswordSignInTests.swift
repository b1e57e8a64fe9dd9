// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

@Suite struct PasswordSignInTests {
    @Test func `a sign-in stores one record with both tokens`() async throws {
        let fixture = try await Fixture.signedIn()
        let record = try await fixture.storedRecord()
        #expect(fixture.store.faults.writeCount == 1)
        #expect(record.tokens.accessToken.unredacted == "access-1")
        #expect(record.tokens.refreshToken?.unredacted == "refresh-1")
        #expect(record.tokenGeneration == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a sign-in sends the email address, the password, rememberMe and the device`() async throws {
        let fixture = try await Fixture.signedIn()
        let request = try #require(fixture.transport.requests.first)
        let members = try request.members
        #expect(request.head.path == Backend.login)
        #expect(members["email"] == .string("ada@example.org"))
        #expect(members["password"] == .string("hunter2-hunter2"))
        #expect(members["rememberMe"] == .boolean(true))
        let device: [String: JSONValue] = [
            "platform": .string("linux"), "osVersion": .string("6.1"), "model": .string("PC"),
            "appVersion": .string("2.3"), "installationID": .string("11111111-2222-3333-4444-555555555555"),
        ]
        #expect(members["deviceInfo"] == .object(device))
    }

    /// A kept connection that has ended lets an HTTP client send a request a second time.
    @Test func `sign-in, refresh and sign-out reach the backend at most once`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.session.refresh()
        await fixture.session.signOut()
        let paths = fixture.transport.requests.map { $0.head.path }
        #expect(Set(paths).isSuperset(of: [Backend.login, Backend.pairRefresh]))
        #expect(fixture.transport.requests.allSatisfy { $0.sendsOnce })
        let refresh = fixture.transport.requests.first { $0.head.path == Backend.pairRefresh }
        #expect(refresh?.sendGuard != nil)
    }

    @Test func `a sign-in sends the API key and no Authorization header`() async throws {
        let request = try #require(try await Fixture.signedIn().transport.requests.first)
        #expect(request.header("X-API-Key") == "key-1")
        #expect(request.header("Authorization") == nil)
        #expect(request.header("Content-Type") == "application/json")
    }

    @Test func `a session that is not remembered is not stored`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        #expect(try fixture.transport.requests.first?.members["rememberMe"] == .boolean(false))
        #expect(fixture.store.faults.writeCount == 0)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
    }

    @Test func `a session that is not remembered removes the stored one`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.signIn(rememberMe: false)
        #expect(try await fixture.stored() == nil)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a session that is not remembered is refreshed without being stored`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        fixture.clock.advance(by: .seconds(900))
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a session that is not remembered can start while the store is locked`() async throws {
        let fixture = try Fixture()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        try await fixture.signIn(rememberMe: false)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a wrong password fails the sign-in with the server's error code`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.code == .signInRefused)
        #expect(error.serverCode?.rawValue == "invalid_credentials")
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [500, 503]) func `a sign-in reports unreachable if the server fails`(status: Int) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in .json("{}", status: status) }
        #expect(await code { try await fixture.signIn() } == .unreachable)
    }

    @Test func `a sign-in reports unreachable if the server can't be reached`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login, Backend.unreachable)
        #expect(await code { try await fixture.signIn() } == .unreachable)
    }

    @Test func `a locked store fails the sign-in before the password is sent`() async throws {
        let fixture = try Fixture()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.code == .storeUnavailable)
        #expect((error.underlying as? SecureStoreError)?.code == .locked)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test(arguments: [
        #"{"accessToken": "a", "refreshToken": "r", "tokenType": "mac", "expiresIn": 900}"#,
        #"{"accessToken": "", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 900}"#,
        #"{"accessToken": "a b", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 900}"#,
        #"{"refreshToken": "r", "tokenType": "Bearer"}"#,
        #"{"accessToken": "a", "tokenType": "Bearer", "expiresIn": 900}"#,
        "<html>",
    ]) func `a sign-in response without usable tokens is invalid`(body: String) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in .json(body) }
        #expect(await code { try await fixture.signIn() } == .invalidResponse)
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
    }

    @Test func `a failed write after the sign-in keeps the session in memory until flush stores it`() async throws {
        let fixture = try Fixture()
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        #expect(fixture.session.state == fixture.signedInState)
        #expect(await fixture.session.persistenceError?.code == .timedOut)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(await code { try await fixture.session.flush() } == .storeUnavailable)

        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        #expect(await fixture.session.persistenceError == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test func `a sign-in response after a sign-out is dropped, and its tokens are revoked`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        let loggedOut = Event()
        fixture.backend.on(Backend.login) { _ in
            await gate.pass()
            return Backend.pair(7, user: true)
        }
        fixture.backend.on(Backend.logout) { _ in
            loggedOut.happen()
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
        let attempt = Task { await code { try await fixture.signIn() } }
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        #expect(await attempt.value == .superseded)
        await loggedOut.wait()
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-7")])
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `the sign-in whose response comes first wins if two are in flight`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.backend.on(Backend.login) { _ in
            await gate.pass()
            return Backend.pair(7, user: true)
        }
        let slow = Task { await code { try await fixture.signIn() } }
        await gate.waitForArrival()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        gate.open()
        #expect(await slow.value == .superseded)
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-70")
    }

    @Test func `a sign-in that replaces another one revokes the earlier tokens`() async throws {
        let fixture = try await Fixture.signedIn()
        let loggedOut = Event()
        fixture.backend.on(Backend.logout) { _ in
            loggedOut.happen()
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        await loggedOut.wait()
        let revoked = try #require(fixture.transport.requests.first { $0.head.path == Backend.logout })
        #expect(try revoked.members == ["refreshToken": .string("refresh-1")])
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
    }

    @Test func `the earlier tokens are not revoked while the new session is not stored`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        #expect(await fixture.session.persistenceError?.code == .timedOut)
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.transport.count(of: Backend.logout) == 0)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test func `the earlier tokens are revoked once the new session is stored`() async throws {
        let fixture = try await Fixture.signedIn()
        let revoked = RevokedTokens(fixture.backend)
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        await revoked.expect(["refresh-1"])
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-70")
    }

    @Test func `a request of the same user continues after a new sign-in`() async throws {
        let fixture = try await Fixture.signedIn()
        let old = try await fixture.session.accessToken()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        #expect(try await fixture.session.credential(insteadOf: old).accessToken.unredacted == "access-70")
    }

    @Test func `no caller receives the earlier token while the new one is being written`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let user = fixture.signIn()
        await gate.waitForArrival()
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        gate.open()
        _ = try await user
    }

    @Test func `a request of an earlier session is not sent with the new session's token`() async throws {
        let fixture = try await Fixture.signedIn()
        let old = try await fixture.session.accessToken()
        await fixture.session.signOut()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        #expect(await code { try await fixture.session.credential(insteadOf: old).accessToken } == .notSignedIn)
        #expect(fixture.refreshes == 0)
        let current = try await fixture.session.accessToken()
        #expect(try await fixture.session.credential(insteadOf: current).accessToken.unredacted == "access-2")
    }

    @Test func `a rejected sign-in keeps the current session`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        #expect(await code { try await fixture.signIn() } == .signInRefused)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
    }

    @Test func `a sign-in with a password fails for the session-token contract`() async throws {
        let session = try Fixture(.sessionToken).session
        let result = await code {
            try await session.signIn(email: "a", password: Password("p"), device: Fixture.device)
        }
        #expect(result == .contractMismatch)
    }

    /// Without the sign-in's record the journal could not be written.
    @Test func `a refresh waits for a sign-in that is being written, and the user stays signed in`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let user = fixture.signIn()
        await gate.waitForArrival()
        async let refreshed: Void = fixture.session.refresh()
        while await fixture.session.flight == nil { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.refreshes == 0)
        gate.open()
        _ = try await user
        try await refreshed
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens == fixture.session.inMemoryTokens)
    }
}
