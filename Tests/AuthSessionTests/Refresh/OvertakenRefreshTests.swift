// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// Case 8 across processes, and what the model in `Docs/Models` found in the protocol: each test is one of its
/// switches.
@Suite struct OvertakenRefreshTests {
    /// Starts a refresh and holds its response back until the gate opens; the server has rotated the tokens.
    private func begun(_ fixture: Fixture) async -> (
        gate: Gate, server: RotatingServer, waiter: Task<String, any Error>
    ) {
        let gate = Gate()
        let server = fixture.rotating { response in
            await gate.pass()
            return response
        }
        let waiter = Task { try await fixture.session.accessToken().unredacted }
        await gate.waitForArrival()
        return (gate, server, waiter)
    }

    @Test func `NO_COMPARE_WRITE: a late refresh response does not undo a sign-out in another process`() async throws {
        let fixture = try await Fixture.expired()
        let (gate, _, waiter) = await begun(fixture)
        let revoked = Event()
        fixture.backend.on(Backend.logout) { request in
            let presented = try request.members["refreshToken"]
            #expect(presented == .string("refresh-2"))
            revoked.happen()
            return .json("{}")
        }
        try await fixture.store.removeItem(forKey: SessionRecord.key)
        gate.open()
        await #expect(throws: AuthSessionError(.notSignedIn)) { try await waiter.value }
        #expect(fixture.session.state == .signedOut(.signedOutElsewhere))
        #expect(try await fixture.stored() == nil)
        // NO_REVOKE: the new tokens are revoked.
        await revoked.wait()
    }

    @Test func `a late refresh response does not overwrite a sign-in in another process`() async throws {
        let fixture = try await Fixture.expired()
        let (gate, _, waiter) = await begun(fixture)
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        let other = try fixture.otherProcess()
        try await other.signIn(email: "ada@example.org", password: Password("p"), device: Fixture.device)
        gate.open()
        #expect(try await waiter.value == "access-70")
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-70")
    }

    @Test func `NO_COMPARE_JOURNAL: a refresh does not undo a sign-out between reread and journal`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let waiter = Task { try await fixture.session.accessToken() }
        await gate.waitForArrival()
        try await fixture.store.faults.removeItem(forKey: SessionRecord.key)
        gate.open()
        await #expect(throws: AuthSessionError(.notSignedIn)) { try await waiter.value }
        #expect(try await fixture.stored() == nil)
        #expect(fixture.refreshes == 0)
    }

    /// The process may die before the sign-in is written; the store must then hold tokens that are still valid.
    @Test
    func `REVOKE_AT_FENCE: a response that a sign-in overtakes is stored while the old record is in the store`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let (gate, server, waiter) = await begun(fixture)
        let never = Gate()
        fixture.store.holdChanges(at: never)
        let signingIn = Task { try await fixture.signIn() }
        while await fixture.session.epoch < 2 { await Task.yield() }
        await #expect(throws: AuthSessionError(.notSignedIn)) { try await waiter.value }
        fixture.backend.on(Backend.logout) { _ in
            Issue.record("the tokens were revoked")
            return .json("{}")
        }
        gate.open()
        await never.waitForArrival()
        for _ in 0..<100 { await Task.yield() }
        // The process died before anything was written: the next launch replays, and the session survives.
        fixture.store.holdChanges(at: nil)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        #expect(try await fixture.otherProcess().accessToken().unredacted == "access-2")
        #expect(server.reuses == 0)
        signingIn.cancel()
    }

    @Test func `SIGN_OUT_REMOVES_ANY: a sign-out removes the sign-in that it ends, and no later one`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.login) { _ in Backend.pair(70, user: true) }
        let other = try fixture.otherProcess()
        try await other.signIn(email: "ada@example.org", password: Password("p"), device: Fixture.device)
        #expect(await fixture.session.signOut().storeError == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-70")
        #expect(try await other.accessToken().unredacted == "access-70")
    }

    @Test
    func `SIGN_OUT_COMPARES_ONCE, TELL_HELD_ONLY: a sign-out removes and revokes tokens of another process's refresh`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        try await fixture.otherProcess().refresh()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(try await fixture.stored() == nil)
        let request = try #require(fixture.transport.requests.last)
        #expect(try request.members == ["refreshToken": .string("refresh-2")])
    }

    @Test
    func `FENCED_SIGN_IN: a sign-out before a sign-in is written removes the new session and the earlier one`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        let signingIn = Task { try await fixture.signIn() }
        await gate.waitForArrival()
        let signingOut = Task { await fixture.session.signOut() }
        while fixture.session.state != .signedOut(.userSignedOut) { await Task.yield() }
        gate.open()
        _ = try await signingIn.value
        #expect(await signingOut.value.storeError == nil)
        #expect(try await fixture.stored() == nil)
    }

    @Test func `IGNORE_FOREIGN_JOURNAL: an open journal that is adopted is completed at once`() async throws {
        let fixture = try await Fixture.expired()
        var record = try await fixture.storedRecord()
        record.tokens.accessToken = try AccessToken("access-9")
        record.tokens.lifetime = TokenLifetime(expiresIn: 900, from: fixture.clock.date)
        record.tokenGeneration = 5
        record.refreshBegunAt = fixture.clock.date
        try await fixture.store.setItem(record.encoded(), forKey: SessionRecord.key)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test
    func `NO_REUSE_HOLD_OFF: tokens of a replayed refresh are not refreshed until the first request must have arrived`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { try server.refresh($0) }
            return try await Backend.lost(request)
        }
        let token = try await fixture.session.accessToken()
        #expect(token.unredacted == "access-2")
        let next = Task { try await fixture.session.credential(insteadOf: token).accessToken.unredacted }
        await fixture.clock.sleepers()
        #expect(server.rotations == 1)
        fixture.clock.advance(by: .seconds(10))
        #expect(try await next.value == "access-3")
    }

    @Test
    func `REPLAY_AFTER_GRACE: no replay is sent after a sleep beyond the window, and the late response is used`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let (gate, server, waiter) = await begun(fixture)
        await fixture.clock.sleepers()
        // Both timers have expired at once: the machine slept.
        fixture.clock.advance(by: .seconds(3_600))
        for _ in 0..<100 { await Task.yield() }
        #expect(fixture.refreshes == 1)
        gate.open()
        #expect(try await waiter.value == "access-2")
        #expect(server.reuses == 0)
    }
}
