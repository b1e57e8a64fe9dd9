// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// Two processes with one store, and one session with concurrent calls.
@Suite struct SharedStoreTests {
    @Test func `tokens that another process obtained are adopted without a request`() async throws {
        let fixture = try await Fixture.expired()
        _ = try await fixture.otherProcess().accessToken()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 7: a rejected refresh is ignored if another process was faster`() async throws {
        let fixture = try await Fixture.expired()
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] _ in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            _ = try await other.accessToken()
            return Backend.failure(401, code: "invalid_grant")
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
    }

    @Test func `a sign-in to another backend in another process ends this session, and its token is not used here`()
        async throws
    {
        let fixture = try await Fixture.expired()
        try await fixture.put(
            Fixture.record(
                #""accessToken":"a-9","refreshToken":"r-9""#,
                user: #"{"id":"u1","missing":[]}"#,
                at: "https://other.example.org"
            )
        )
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.session.state == .signedOut(.signedOutElsewhere))
        #expect(fixture.refreshes == 0)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `another user's sign-in in another process is adopted, and waiting calls fail`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.login) { _ in
            .json(
                """
                {"user": {"id": "u2"}, "accessToken": "access-70", "refreshToken": "refresh-70", \
                "tokenType": "Bearer", "expiresIn": 900}
                """
            )
        }
        let other = try fixture.otherProcess()
        try await other.signIn(email: "b@example.org", password: Password("p"), device: Fixture.device)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.session.state == .signedIn(SessionUser(id: "u2"), .online))
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        #expect(fixture.refreshes == 0)
    }

    @Test func `two sign-ins without a user count as different sign-ins, and waiting calls fail`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Backend.pair(1) }
        try await fixture.signIn()
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(900))
        fixture.backend.on(Backend.login) { _ in Backend.pair(70) }
        try await fixture.signInElsewhere()
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(await code { try await fixture.session.credential(insteadOf: token).accessToken } == .notSignedIn)
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        #expect(fixture.refreshes == 0)
    }

    @Test func `a session without a user adopts tokens that another process refreshed`() async throws {
        let fixture = try Fixture()
        fixture.backend.on(Backend.login) { _ in Backend.pair(1) }
        try await fixture.signIn()
        fixture.clock.advance(by: .seconds(900))
        _ = try await fixture.otherProcess().accessToken()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test func `a missing item means that the user signed out in another process`() async throws {
        let fixture = try await Fixture.expired()
        try await fixture.store.removeItem(forKey: SessionRecord.key)
        #expect(await code { try await fixture.session.accessToken() } == .notSignedIn)
        #expect(fixture.session.state == .signedOut(.signedOutElsewhere))
        #expect(fixture.refreshes == 0)
    }

    @Test func `case 5: a cancelled waiter returns at once, and the refresh continues`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let waiter = Task { try await fixture.session.accessToken() }
        await gate.waitForArrival()
        let flight = try #require(await fixture.session.flight)
        waiter.cancel()
        await #expect(throws: CancellationError.self) { try await waiter.value }
        gate.open()
        #expect(try await flight.value().accessToken.unredacted == "access-2")
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
    }

    @Test func `case 8: a refresh response after a sign-out is dropped`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let gate = Gate()
        let responded = Event()
        fixture.backend.on(Backend.tokenRefresh) { _ in
            await gate.pass()
            defer { responded.happen() }
            return Backend.sessionToken(2)
        }
        let waiter = Task { await code { try await fixture.session.refresh() } }
        await gate.waitForArrival()
        await fixture.session.signOut()
        #expect(await waiter.value == .notSignedIn)
        gate.open()
        await responded.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(try await fixture.stored() == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
    }

    @Test func `case 8: a refresh of the old session never overwrites a new sign-in`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        let responded = Event()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            defer { responded.happen() }
            return Backend.pair(2)
        }
        let waiter = Task { await code { try await fixture.session.accessToken() } }
        await gate.waitForArrival()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        try await fixture.signIn()
        #expect(await waiter.value == .notSignedIn)
        gate.open()
        await responded.wait()
        for _ in 0..<100 { await Task.yield() }
        #expect(try await fixture.session.accessToken().unredacted == "access-70")
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-70")
    }

    @Test func `case 1: fifty requests that get a 401 share one refresh, and all succeed`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on("/api/jobs") { request in
            request.header("Authorization") == "Bearer access-1"
                ? Backend.failure(401, code: "token_expired") : .json("[1]")
        }
        let client = APIClient(
            baseURL: fixture.session.backend.baseURL,
            authenticatedBy: fixture.session,
            transport: fixture.transport
        )
        let responses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for _ in 0..<50 { group.addTask { try await client.send(.get("/api/jobs")) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(responses == Array(repeating: [1], count: 50))
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.count(of: "/api/jobs") <= 100)
    }
}
