import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

@Suite struct PasswordSignInTests {
    @Test func `signing in stores one record, version 1, with both tokens`() async throws {
        let fixture = try await Fixture.signedIn()
        let record = try await fixture.storedRecord()
        #expect(fixture.store.faults.writeCount == 1)
        #expect(record.tokens.accessToken.unredacted == "access-1")
        #expect(record.tokens.refreshToken?.unredacted == "refresh-1")
        #expect(record.generation == 0)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `the address, the password, rememberMe and the device go on the wire`() async throws {
        let fixture = try await Fixture.signedIn()
        let request = try #require(fixture.transport.requests.first)
        let members = try request.members
        #expect(request.head.path == Backend.login)
        #expect(members["email"] == .string("ada@example.org"))
        #expect(members["password"] == .string("hunter2"))
        #expect(members["rememberMe"] == .boolean(true))
        let device: [String: JSONValue] = [
            "platform": .string("linux"), "osVersion": .string("6.1"), "model": .string("PC"),
            "appVersion": .string("2.3"), "installationID": .string("11111111-2222-3333-4444-555555555555"),
        ]
        #expect(members["deviceInfo"] == .object(device))
    }

    @Test func `the API key goes with the sign-in, and no Authorization`() async throws {
        let request = try #require(try await Fixture.signedIn().transport.requests.first)
        #expect(request.header("X-API-Key") == "key-1")
        #expect(request.header("Authorization") == nil)
        #expect(request.header("Content-Type") == "application/json")
    }

    @Test func `a session that is not to be remembered writes nothing`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        #expect(try fixture.transport.requests.first?.members["rememberMe"] == .boolean(false))
        #expect(fixture.store.faults.writeCount == 0)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
    }

    @Test func `a session that is not to be remembered removes the old one`() async throws {
        let fixture = try await Fixture.signedIn()
        try await fixture.signIn(rememberMe: false)
        #expect(try await fixture.stored() == nil)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a session that is not remembered is refreshed and still not written`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        fixture.clock.advance(by: .seconds(900))
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a session that is not remembered can be had while the store is locked`() async throws {
        let fixture = try Fixture()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        try await fixture.signIn(rememberMe: false)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a wrong password is a refused sign-in with the server's code`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        let error = try await sessionError { try await fixture.signIn() }
        #expect(error.code == .signInRefused)
        #expect(error.serverCode?.rawValue == "invalid_credentials")
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [500, 503]) func `a server that fails is unreachable`(status: Int) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in .json("{}", status: status) }
        #expect(await code { try await fixture.signIn() } == .unreachable)
    }

    @Test func `a server that can't be reached is unreachable`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login, Backend.unreachable)
        #expect(await code { try await fixture.signIn() } == .unreachable)
    }

    @Test func `a locked store is told before the password is sent`() async throws {
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
    ]) func `an answer without a token that may be used is unsafe`(answer: String) async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in .json(answer) }
        #expect(await code { try await fixture.signIn() } == .invalidResponse)
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
    }

    @Test func `a write that fails after the sign-in leaves the session in memory, to be saved again`() async throws {
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

    @Test func `a record that can't be kept aside is not written over`() async throws {
        let fixture = try Fixture()
        try await fixture.put("not JSON")
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        #expect(await fixture.session.persistenceError?.code == .timedOut)
        #expect(try await fixture.stored() == SecretBytes(Array("not JSON".utf8)))

        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        #expect(try await fixture.stored(SessionRecord.unreadableKey) == SecretBytes(Array("not JSON".utf8)))
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test(arguments: [SecureStoreError.Code.itemTooLarge, .full])
    func `an unreadable item that the store takes no copy of is lost to the sign-in`(
        fault: SecureStoreError.Code
    ) async throws {
        let fixture = try Fixture()
        try await fixture.put("not JSON")
        // The read before the password is sent, the read before the write, and then the copy.
        fixture.store.faults.failCall(3, with: SecureStoreError(fault))
        try await fixture.signIn()
        #expect(await fixture.session.persistenceError == nil)
        #expect(try await fixture.stored(SessionRecord.unreadableKey) == nil)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test func `an answer that comes after a sign-out is dropped and given back`() async throws {
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
        await gate.somebodyWaits()
        await fixture.session.signOut()
        gate.open()
        #expect(await attempt.value == .superseded)
        await loggedOut.wait()
        #expect(try fixture.transport.requests.last?.members == ["refreshToken": .string("refresh-7")])
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `of two sign-ins the first that is answered counts`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.backend.on(Backend.login) { _ in
            await gate.pass()
            return Backend.pair(7, user: true)
        }
        let slow = Task { await code { try await fixture.signIn() } }
        await gate.somebodyWaits()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        gate.open()
        #expect(await slow.value == .superseded)
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-70")
    }

    @Test func `a sign-in that takes the place of another gives its tokens back`() async throws {
        let fixture = try await Fixture.signedIn()
        let loggedOut = Event()
        fixture.backend.on(Backend.logout) { _ in
            loggedOut.happen()
            return TransportResponse(head: HTTPResponse(status: .noContent))
        }
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        await loggedOut.wait()
        let told = try #require(fixture.transport.requests.first { $0.head.path == Backend.logout })
        #expect(try told.members == ["refreshToken": .string("refresh-1")])
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
    }

    @Test func `the old tokens are not given back while the new session is not written`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        #expect(await fixture.session.persistenceError?.code == .timedOut)
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.transport.count(of: Backend.logout) == 0)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test func `the old tokens are given back once the new session is written`() async throws {
        let fixture = try await Fixture.signedIn()
        let told = ToldTokens(fixture.backend)
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        fixture.store.faults.failWrites(with: SecureStoreError(.timedOut))
        try await fixture.signIn()
        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        await told.expect(["refresh-1"])
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-70")
    }

    @Test func `a request of the same person goes on after they sign in again`() async throws {
        let fixture = try await Fixture.signedIn()
        let old = try await fixture.session.accessToken()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        #expect(try await fixture.session.accessToken(insteadOf: old).unredacted == "access-70")
    }

    @Test func `nobody is handed the old person's token while the new one is being written`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let user = fixture.signIn()
        await gate.somebodyWaits()
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        gate.open()
        _ = try await user
    }

    @Test func `a request of who was signed in before does not go out as who is now`() async throws {
        let fixture = try await Fixture.signedIn()
        let old = try await fixture.session.accessToken()
        await fixture.session.signOut()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        #expect(await code { try await fixture.session.accessToken(insteadOf: old) } == .notSignedIn)
        #expect(fixture.refreshes == 0)
        let current = try await fixture.session.accessToken()
        #expect(try await fixture.session.accessToken(insteadOf: current).unredacted == "access-2")
    }

    @Test func `a refused attempt leaves the session that is there`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        #expect(await code { try await fixture.signIn() } == .signInRefused)
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
    }

    @Test func `a password is no way into the session token contract`() async throws {
        let session = try Fixture(.sessionToken).session
        let result = await code {
            try await session.signIn(email: "a", password: Password("p"), device: Fixture.device)
        }
        #expect(result == .contractMismatch)
    }

    /// Without the sign-in's record the journal could not be written.
    @Test func `a refresh while the sign-in is being written waits for it, and signs nobody out`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let user = fixture.signIn()
        await gate.somebodyWaits()
        async let refreshed: Void = fixture.session.refresh()
        while await fixture.session.flight == nil { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.refreshes == 0)
        gate.open()
        _ = try await user
        try await refreshed
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens == fixture.session.heldTokens)
    }
}
