// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

/// Case 30: the process dies at any point between sending and storing.
///
/// The next process finds the journal.
@Suite struct JournalTests {
    @Test func `a journal is stored before a refresh is sent and closed after its response`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store, clock = fixture.clock] _ in
            let record = try SessionRecord(try #require(try await store.item(forKey: SessionRecord.key)))
            #expect(record.refreshBegunAt == clock.date)
            #expect(record.tokens.refreshToken?.unredacted == "refresh-1")
            return Backend.pair(2)
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
        #expect(fixture.refreshes == 1)
    }

    @Test func `a refresh that never reached the server leaves no open journal`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
    }

    @Test func `a refresh whose response is lost leaves the journal open`() async throws {
        let fixture = try await Fixture.expired()
        let begun = fixture.clock.date
        fixture.backend.on(Backend.pairRefresh, Backend.lost)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(try await fixture.storedRecord().refreshBegunAt == begun)
        // A later refresh that never reached the server doesn't change the outcome of the first.
        fixture.clock.advance(by: .seconds(1))
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(try await fixture.storedRecord().refreshBegunAt == begun)
    }

    /// Returns a session whose journal is open although nothing was sent: the process died in between, some time ago.
    private func journaled(before time: Duration) async throws -> Fixture {
        let fixture = try await Fixture.expired()
        var record = try await fixture.storedRecord()
        record.refreshBegunAt = fixture.clock.date
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        fixture.clock.advance(by: time)
        return fixture
    }

    @Test func `a token is sent again after the grace window, and once more if that response is lost`() async throws {
        let fixture = try await journaled(before: .seconds(60))
        let server = RotatingServer(clock: fixture.clock)
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            _ = try server.refresh(request)
            backend.on(Backend.pairRefresh) { try server.refresh($0) }
            return try await Backend.lost(request)
        }
        #expect(try await fixture.otherProcess().accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 2)
        #expect(server.reuses == 0)
    }

    /// The point at which the process dies.
    enum Death: CaseIterable, CustomTestStringConvertible {
        case beforeTheServerReceivesIt
        case beforeTheResponse
        case beforeTheWrite
        case afterTheWrite

        var testDescription: String { "\(self)" }
    }

    @Test(arguments: Death.allCases)
    func `case 30: a process that dies during a refresh leaves a usable session`(
        death: Death
    ) async throws {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        // Never opened: a task that waits at this gate counts as dead.
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store] request in
            if death == .beforeTheServerReceivesIt { await gate.pass() }
            let response = try server.refresh(request)
            if death == .beforeTheResponse { await gate.pass() }
            if death == .beforeTheWrite { store.holdChanges(at: gate) }
            return response
        }
        let interrupted = Task { try await fixture.session.accessToken() }
        if death == .afterTheWrite { _ = try await interrupted.value } else { await gate.waitForArrival() }

        fixture.store.holdChanges(at: nil)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        fixture.clock.advance(by: .seconds(5))
        let successor = try fixture.otherProcess()
        #expect(try await successor.accessToken().unredacted == "access-2")
        #expect(try await fixture.storedRecord().tokens.refreshToken?.unredacted == "refresh-2")
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    @Test func `an open journal is completed within the grace window even if the token is fresh`() async throws {
        let fixture = try await Fixture.signedIn()
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }

        let successor = try fixture.otherProcess()
        #expect(try await successor.accessToken().unredacted == "access-1")
        // The refresh may have finished already.
        _ = try await successor.flight?.value()
        #expect(try await successor.accessToken().unredacted == "access-2")
        #expect(server.reuses == 0)
    }

    @Test func `a fresh token is used without a refresh if the journal is open and the grace window has passed`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        _ = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        let sent = fixture.refreshes
        fixture.clock.advance(by: .seconds(11))
        for session in [fixture.session, try fixture.otherProcess()] {
            #expect(try await session.accessToken().unredacted == "access-1")
            #expect(await session.flight == nil)
        }
        #expect(fixture.refreshes == sent)
    }

    @Test func `a session that ends after a lost response reports refreshResponseLost`() async throws {
        let fixture = try await Fixture.expired()
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(60))
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.refreshResponseLost))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
    }

    @Test func `a journal survives encoding and decoding`() async throws {
        var record = try await Fixture.signedIn().storedRecord()
        record.refreshBegunAt = TestClock().date
        record.requestedScope = "openid email profile offline_access"
        #expect(try SessionRecord(record.encoded()) == record)
    }

    /// The grace window starts when the token is first sent, by any process.
    @Test func `a slow replay is not repeated after the grace window of the first request`() async throws {
        let fixture = try await Fixture.expired()
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(7))
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { request in
            let response = try server.refresh(request)
            await gate.pass()
            return response
        }
        let sent = fixture.refreshes
        let waiter = Task { try await fixture.otherProcess().accessToken().unredacted }
        await gate.waitForArrival()
        await fixture.silence()
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        #expect(try await waiter.value == "access-2")
        #expect(fixture.refreshes == sent + 1 && server.reuses == 0)
    }

    /// An earlier process died before it sent anything, so this one's first request begins the server's window.
    ///
    /// After the journal's window, the next attempt could not know that.
    @Test func `late in the grace window, a replay without a response is sent again before the window ends`()
        async throws
    {
        let fixture = try await journaled(before: .seconds(7))
        let server = RotatingServer(clock: fixture.clock)
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            let response = try server.refresh(request)
            backend.on(Backend.pairRefresh) { try server.refresh($0) }
            await gate.pass()
            return response
        }
        let waiter = Task { try await fixture.otherProcess().accessToken().unredacted }
        await gate.waitForArrival()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        for _ in 0..<10_000 where fixture.refreshes < 2 { await Task.yield() }
        #expect(fixture.refreshes == 2)
        gate.open()
        #expect(try await waiter.value == "access-2")
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a first request that ignores cancellation does not delay the replay's response`() async throws {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        let gate = Gate()
        defer { gate.open() }
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            let response = try server.refresh(request)
            backend.on(Backend.pairRefresh) { try server.refresh($0) }
            await gate.pass()
            return response
        }
        let waiter = Task { try await fixture.session.accessToken().unredacted }
        await gate.waitForArrival()
        await fixture.silence()
        #expect(try await waiter.value == "access-2")
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    /// A connection may take longer than the window; a request that is connected too late must not send the token.
    @Test func `a replay is not sent if its connection is made after the grace window`() async throws {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        let first = Gate()
        let second = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            _ = try server.refresh(request)
            backend.on(Backend.pairRefresh) { request in
                await second.pass()
                // A transport reads the body once it has a connection.
                try request.checkSendGuard()
                return try server.refresh(request)
            }
            await first.pass()
            throw TransportError(.connectionClosed, mayHaveReachedServer: true)
        }
        let waiter = Task { await code { try await fixture.session.accessToken() } }
        await first.waitForArrival()
        await fixture.silence()
        await second.waitForArrival()
        fixture.clock.advance(by: .seconds(6))
        second.open()
        first.open()
        #expect(await waiter.value == .refreshOutcomeUnknown)
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    @Test func `a replay of a later attempt leaves the outcome unknown if its connection is made too late`()
        async throws
    {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        fixture.backend.on(Backend.pairRefresh) { request in
            _ = try server.refresh(request)
            return try await Backend.lost(request)
        }
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(8))
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { request in
            await gate.pass()
            try request.checkSendGuard()
            return try server.refresh(request)
        }
        let waiter = Task { await code { try await fixture.session.refresh() } }
        await gate.waitForArrival()
        fixture.clock.advance(by: .seconds(1))
        gate.open()
        #expect(await waiter.value == .refreshOutcomeUnknown)
        #expect(server.reuses == 0 && server.rotations == 1)
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
    }

    @Test func `a replay that is too late to be sent does not hide the response to the request before it`() async throws
    {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.lost)
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        let (first, second) = (Gate(), Gate())
        let refused = Event()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            try request.checkSendGuard()
            backend.on(Backend.pairRefresh) { request in
                await second.pass()
                defer { refused.happen() }
                try request.checkSendGuard()
                return .json("{}", status: 200)
            }
            await first.pass()
            return .json("{}", status: 429, headers: [.retryAfter: "120"])
        }
        let waiter = Task { () -> AuthSessionError? in
            do { try await fixture.session.refresh() } catch { return error as? AuthSessionError }
            return nil
        }
        await first.waitForArrival()
        await fixture.silence()
        await second.waitForArrival()
        fixture.clock.advance(by: .seconds(9))
        second.open()
        await refused.wait()
        first.open()
        let error = await waiter.value
        #expect(error?.code == .unreachable && error?.retryAfter == .seconds(120))
    }

    /// The server's window opens when it first receives the token, however long that takes.
    @Test func `a refresh is sent even if its connections are made late`() async throws {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        let first = Gate()
        let second = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { request in
                await second.pass()
                try request.checkSendGuard()
                return try server.refresh(request)
            }
            await first.pass()
            try request.checkSendGuard()
            _ = try server.refresh(request)
            throw TransportError(.connectionClosed, mayHaveReachedServer: true)
        }
        let waiter = Task { try await fixture.session.accessToken().unredacted }
        await first.waitForArrival()
        await fixture.silence()
        await second.waitForArrival()
        fixture.clock.advance(by: .seconds(8))
        first.open()
        while server.rotations == 0 { await Task.yield() }
        second.open()
        #expect(try await waiter.value == "access-2")
        #expect(server.reuses == 0 && server.rotations == 1)
    }

    @Test func `a replay that is too late to be sent does not block the first request`() async throws {
        let fixture = try await Fixture.expired()
        let server = RotatingServer(clock: fixture.clock)
        let first = Gate()
        let second = Gate()
        let refused = Event()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { request in
                await second.pass()
                defer { refused.happen() }
                try request.checkSendGuard()
                return try server.refresh(request)
            }
            await first.pass()
            try request.checkSendGuard()
            return try server.refresh(request)
        }
        let waiter = Task { try await fixture.session.accessToken().unredacted }
        await first.waitForArrival()
        await fixture.silence()
        await second.waitForArrival()
        fixture.clock.advance(by: .seconds(8))
        second.open()
        await refused.wait()
        #expect(server.rotations == 0)
        first.open()
        #expect(try await waiter.value == "access-2")
    }

    @Test func `an unsent replay leaves the journal open if the first request got a server error`() async throws {
        let fixture = try await Fixture.expired()
        let first = Gate()
        let second = Gate()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] _ in
            backend.on(Backend.pairRefresh) { request in
                await second.pass()
                return try await Backend.unreachable(request)
            }
            await first.pass()
            return .json("{}", status: 503)
        }
        let waiter = Task { await code { try await fixture.session.accessToken() } }
        await first.waitForArrival()
        await fixture.silence()
        await second.waitForArrival()
        first.open()
        for _ in 0..<100 { await Task.yield() }
        second.open()
        #expect(await waiter.value == .unreachable)
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
    }

    @Test func `an unsent replay leaves the journal open if the first request may have reached the server`()
        async throws
    {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh, Backend.unreachable)
            return try await Backend.lost(request)
        }
        #expect(await code { try await fixture.session.accessToken() } == .refreshOutcomeUnknown)
        #expect(fixture.refreshes == 2)
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
    }

    @Test(arguments: [true, false]) func `an unusable response or a server error leaves the journal open`(
        isResponse: Bool
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            isResponse ? .json(#"{"accessToken": "a", "tokenType": "mac", "expiresIn": 9}"#) : .json("{}", status: 503)
        }
        _ = await code { try await fixture.session.accessToken() }
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
    }

    @Test func `a wall clock step does not close the grace window of this process's own journal`() async throws {
        let fixture = try await Fixture.signedIn()
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        fixture.clock.stepDate(by: .seconds(3_600))
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        // The refresh may have finished already.
        _ = try await fixture.session.flight?.value()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `validation after the grace window does not resend the refresh token while the access token is fresh`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        fixture.clock.advance(by: .seconds(60))
        let sent = fixture.refreshes
        _ = await fixture.session.validate()
        #expect(fixture.refreshes == sent && server.reuses == 0)
    }

    @Test func `a session that is only in memory keeps its journal in memory`() async throws {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: false)
        let server = fixture.rotating { _ in throw TransportError(.connectionClosed, mayHaveReachedServer: true) }
        #expect(await code { try await fixture.session.refresh() } == .refreshOutcomeUnknown)
        fixture.backend.on(Backend.pairRefresh) { try server.refresh($0) }
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        // The refresh may have finished already.
        _ = try await fixture.session.flight?.value()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a rejected refresh does not end the session if the store can't be written`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store] _ in
            store.faults.failWrites(with: SecureStoreError(.timedOut))
            return Backend.failure(401, code: "refresh_token_reused")
        }
        #expect(await code { try await fixture.session.accessToken() } == .storeUnavailable)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `the journal of a record without a user is closed too`() async throws {
        let fixture = try Fixture()
        try await fixture.put(Fixture.record(#""accessToken":"a-1","refreshToken":"refresh-1","expiresAt":1"#))
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
    }

    @Test func `a backend without tokens for other APIs gets no request for one, and no journal is written`()
        async throws
    {
        let fixture = try Fixture()
        try await fixture.signIn(rememberMe: true)
        let before = try await fixture.stored()
        let target = TokenTarget(resources: ["https://bills.example"])
        #expect(await code { try await fixture.session.accessToken(for: target) } == .contractMismatch)
        #expect(try await fixture.stored() == before)
    }
}
