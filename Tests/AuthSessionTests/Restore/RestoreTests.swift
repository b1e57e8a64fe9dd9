// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite struct RestoreTests {
    @Test func `an empty store means that no user is signed in`() async throws {
        let fixture = try Fixture()
        #expect(fixture.session.state == .restoring)
        await fixture.session.restore()
        #expect(fixture.session.state == .signedOut(.noSession))
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `a stored session is shown at once, without a request`() async throws {
        let fixture = try await Fixture.signedIn()
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        #expect(other.state == fixture.signedInState)
        #expect(try await other.accessToken().unredacted == "access-1")
        #expect(fixture.transport.requests.count == 1)
    }

    @Test func `case 29: a locked store does not sign the user out and is read again after it is unlocked`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        let other = try fixture.otherProcess()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await other.restore(validating: false)
        #expect(other.state == .locked(SecureStoreError(.locked)))
        #expect(await code { try await other.accessToken() } == .storeUnavailable)
        fixture.store.faults.failAll(with: nil)
        await other.restore(validating: false)
        #expect(other.state == fixture.signedInState)
    }

    private static func record(generation: String = "1", expiresAt: String = "1800000900") -> String {
        Fixture.record(#""accessToken":"a-1","expiresAt":\#(expiresAt)"#, generation: generation)
    }

    @Test func `a record with valid numbers can be read`() throws {
        #expect(try SessionRecord(SecretBytes(Array(Self.record().utf8))).tokenGeneration == 1)
    }

    private static let unreadable: [(String, SessionRecordError.Code)] = [
        ("not JSON", .damaged), ("{}", .damaged), (#"{"version": 1}"#, .damaged),
        (#"{"version": 3, "accessToken": "a"}"#, .unknownVersion),
        (record(generation: "9223372036854775807"), .damaged), (record(generation: "-1"), .damaged),
        (record(expiresAt: "1e300"), .damaged), (record(expiresAt: "-1"), .damaged),
    ]

    @Test(arguments: unreadable) func `a restore leaves an unreadable record in the store`(
        text: String,
        reason: SessionRecordError.Code
    ) async throws {
        let fixture = try Fixture()
        try await fixture.put(text)
        await fixture.session.restore()
        #expect(fixture.session.state == .signedOut(.unreadableRecord(reason)))
        #expect(try await fixture.stored() == SecretBytes(Array(text.utf8)))
    }

    @Test(arguments: unreadable) func `a sign-in replaces an unreadable record`(
        text: String,
        reason: SessionRecordError.Code
    ) async throws {
        let fixture = try Fixture()
        try await fixture.put(text)
        try await fixture.signIn()
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-1")
    }

    @Test func `a sign-out removes an unreadable record`() async throws {
        let fixture = try Fixture()
        try await fixture.put("not JSON")
        try await fixture.signIn()
        try await fixture.put("not JSON")
        await fixture.session.signOut()
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `an app's new API key is sent in place of the stored one, and only a sign-in stores it`(
        contract: SessionBackend.Contract
    ) async throws {
        let fixture = try await Fixture.signedIn(contract)
        let updated = try fixture.otherProcess(at: Fixture.sessionBackend(contract, apiKey: "key-2"))
        await updated.restore(validating: false)
        try await fixture.session.refresh()
        let known = fixture.transport.requests.count
        // Takes over the other process's tokens; the second refresh is its own.
        try await updated.refresh()
        try await updated.refresh()
        #expect(fixture.refreshes == 2)
        #expect(await updated.validate() == fixture.signedInState)
        #expect(try await fixture.storedRecord().authority.details == Data("key-1".utf8))
        await updated.signOut()
        #expect(fixture.transport.requests.dropFirst(known).allSatisfy { $0.header("X-API-Key") == "key-2" })
        try await fixture.signIn(in: updated)
        let stored = try await AuthSession.stored(in: fixture.store, of: [.firstParty], transport: fixture.transport)
        #expect(stored?.backend.apiKey?.unredacted == "key-2")
    }

    @Test func `a record survives encoding and decoding`() async throws {
        let record = try await Fixture.signedIn().storedRecord()
        #expect(try SessionRecord(record.encoded()) == record)
    }

    @Test func `a record of version 1 can be read`() throws {
        let text = Fixture.record(
            #""accessToken":"a-1","refreshToken":"r-1","scope":"openid email","issuedAt":1800000000,"expiresAt":1800000900"#,
            generation: "7",
            user: #"{"id":"u1","name":"Ada","missing":[]}"#
        )
        let record = try SessionRecord(SecretBytes(Array(text.utf8)))
        #expect(record.tokenGeneration == 7)
        #expect(record.tokens.accessToken.unredacted == "a-1")
        #expect(record.tokens.refreshToken?.unredacted == "r-1")
        #expect(record.tokens.scope?.description == "openid email")
        #expect(record.tokens.lifetime.issuedAt?.timeIntervalSince1970 == 1_800_000_000)
        #expect(record.tokens.lifetime.expiresAt?.timeIntervalSince1970 == 1_800_000_900)
        #expect(record.user == SessionUser(id: "u1", name: "Ada"))
        #expect(try Fixture.sessionBackend().authority.id == record.authority.id)
        #expect(record.authority == AuthorityRecord(id: record.authority.id))
    }

    @Test func `a rejected validation ends the session`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "session_ended") }
        #expect(await fixture.session.validate() == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
        #expect(fixture.refreshes == 0)
    }

    @Test func `a token that has expired only by the server's clock is exchanged, and the user stays signed in`()
        async throws
    {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "token_expired") }
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
    }

    @Test func `an expired token that can't be exchanged is not validated, and the user stays signed in`() async throws
    {
        let fixture = try await Fixture.expired(.sessionToken)
        fixture.backend.on(Backend.tokenRefresh) { _ in .json("{}", status: 503) }
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "session_ended") }
        #expect(await fixture.session.validate() == .signedIn(fixture.user, .offline(since: fixture.clock.date)))
        #expect(fixture.transport.count(of: Backend.validate) == 0)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a rejected validation does not end the session if the store can't be read`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { [store = fixture.store] _ in
            store.faults.failAll(with: SecureStoreError(.locked))
            return Backend.failure(401, code: "session_ended")
        }
        #expect(await fixture.session.validate() == fixture.signedInState)
        fixture.store.faults.failAll(with: nil)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `a store that throws an error of another type counts as locked`() async throws {
        struct Broken: WrappingStore {
            struct Fault: Error {}
            let wrapped: any SecureStore = MemoryStore()
            func call<Value>(
                _: StoreKey?,
                isChange: Bool,
                _: (any SecureStore) async throws -> Value
            ) async throws -> Value { throw Fault() }
        }
        let session = AuthSession(backend: try Fixture.sessionBackend(), store: Broken())
        await session.restore()
        #expect(session.state == .locked(SecureStoreError(.failed)))
        #expect(await code { try await session.accessToken() } == .storeUnavailable)
    }

    @Test func `a record of another backend stays in the store, and its tokens are not sent`() async throws {
        let fixture = try await Fixture.signedIn()
        let item = try await fixture.stored()
        let elsewhere = try BaseURL("https://other.example.org")
        let other = try fixture.otherProcess(
            at: .firstParty(baseURL: elsewhere, contract: .tokenPair, apiKey: APIKey("key-2"))
        )
        await other.restore()
        #expect(other.state == .signedOut(.unreadableRecord(.otherBackend)))
        #expect(await code { try await other.refresh() } == .notSignedIn)
        #expect(await code { try await other.accessToken() } == .notSignedIn)
        #expect(fixture.transport.requests.count == 1)
        #expect(try await fixture.stored() == item)
    }

    @Test func `a record of an unknown authority counts as another backend's, not as damaged`() async throws {
        let fixture = try Fixture()
        try await fixture.put(
            Fixture.record(#""accessToken":"a-1""#).replacing(#""kind":"tokenPair""#, with: #""kind":"parcels""#)
        )
        await fixture.session.restore()
        #expect(fixture.session.state == .signedOut(.unreadableRecord(.otherBackend)))
    }

    /// The last two keys share words with the error code, which is reported all the same.
    @Test(arguments: ["key-1", "my_api_key_1", "api_key"])
    func `a validation that rejects the API key neither ends the session nor shows it as offline`(
        apiKey: String
    ) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken, apiKey: apiKey)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "invalid_api_key") }
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: ["token_expired", "session_ended"])
    func `a rejected validation does not end the session if this process has replaced the token`(
        refusal: String
    ) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { [session = fixture.session] _ in
            try await session.refresh()
            return Backend.failure(401, code: refusal)
        }
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: ["token_expired", "session_ended"])
    func `a rejected validation does not end the session if another process has replaced the token`(
        refusal: String
    ) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        fixture.backend.on(Backend.validate) { _ in
            try await other.refresh()
            return Backend.failure(401, code: refusal)
        }
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(2))
    }

    @Test func `a validation that can't reach the server shows the session as offline until the next one succeeds`()
        async throws
    {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate, Backend.unreachable)
        #expect(await fixture.session.validate() == .signedIn(fixture.user, .offline(since: fixture.clock.date)))
        fixture.backend.on(Backend.validate) { _ in .json(#"{"user": \#(Backend.user)}"#) }
        #expect(await fixture.session.validate() == fixture.signedInState)
    }

    @Test func `validation of a token pair refreshes it: the session is offline until the server responds`()
        async throws
    {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await fixture.session.validate() == .signedIn(fixture.user, .offline(since: fixture.clock.date)))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        #expect(await fixture.session.validate() == fixture.signedInState)
    }

    @Test func `states arrive in order, beginning with the current one`() async throws {
        let fixture = try Fixture()
        var states = fixture.session.states.makeAsyncIterator()
        #expect(await states.next() == .restoring)
        await fixture.session.restore()
        try await fixture.signIn()
        await fixture.session.signOut()
        #expect(await states.next() == .signedOut(.noSession))
        #expect(await states.next() == fixture.signedInState)
        #expect(await states.next() == .signedOut(.userSignedOut))
    }
}
