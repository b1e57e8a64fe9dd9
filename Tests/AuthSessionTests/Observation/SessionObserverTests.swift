// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// The events of real sessions.
@Suite(.timeLimit(.minutes(1)))
struct SessionObserverTests {
    private let recorder = EventRecorder()

    /// Returns a session that has signed in, without the events of that.
    private func signedIn(lock: LockPolicy = .none) async throws -> Fixture {
        let fixture = try await Fixture.signedIn(lock: lock, options: recorder.options)
        recorder.forget()
        return fixture
    }

    private func refresh(_ outcome: SessionEvent.Refresh.Outcome, error: String? = nil) -> SessionEvent.Refresh {
        var refresh = SessionEvent.Refresh(isForOtherAPI: false)
        (refresh.outcome, refresh.errorType) = (outcome, error)
        return refresh
    }

    // MARK: Sign-ins

    @Test func `a sign-in is observed with its duration`() async throws {
        let fixture = try Fixture(options: recorder.options)
        fixture.backend.on(Backend.login) { [clock = fixture.clock] _ in
            clock.advance(by: .milliseconds(20))
            return Backend.pair(1, user: true)
        }
        try await fixture.signIn()
        #expect(recorder.events == [.signInEnded(.success, after: .milliseconds(20))])
    }

    private static let failures: [(AuthSessionError.Code, @Sendable (Fixture) -> Void)] = [
        (.signInRefused, { $0.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") } }),
        (.storeUnavailable, { $0.store.faults.failAll(with: SecureStoreError(.locked)) }),
    ]

    @Test(arguments: failures)
    func `a sign-in that fails is observed by the session's code, not the server's`(
        expected: AuthSessionError.Code,
        fault: @escaping @Sendable (Fixture) -> Void
    ) async throws {
        let fixture = try Fixture(options: recorder.options)
        fault(fixture)
        #expect(await code { try await fixture.signIn() } == expected)
        #expect(recorder.events == [.signInEnded(.failed(expected.description), after: .zero)])
    }

    /// The sign-ins among the events.
    private var signIns: [SessionEvent] { recorder.events.filter { if case .signInEnded = $0 { true } else { false } } }

    @Test func `a superseded sign-in is observed`() async throws {
        let fixture = try Fixture(options: recorder.options)
        let gate = fixture.holdSignIn()
        let signIn = Task { try await fixture.signIn() }
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        await #expect(throws: AuthSessionError.self) { try await signIn.value }
        #expect(signIns == [.signInEnded(.failed("superseded"), after: .zero)])
    }

    @Test func `a sign-in that completes after a sign-out is observed, whichever module requested its tokens`()
        async throws
    {
        let fixture = try Fixture(options: recorder.options)
        let ticket = try await fixture.session.signInTicket()
        await fixture.session.signOut()
        let lifetime = TokenLifetime(expiresIn: nil, from: fixture.clock.date)
        let issued = IssuedTokens(
            tokens: TokenSet(accessToken: try AccessToken("access-1"), lifetime: lifetime),
            requestedAt: fixture.session.clock.reading()
        )
        #expect(await code { try await fixture.session.complete(ticket, with: issued, user: nil) } == .superseded)
        #expect(signIns == [.signInEnded(.failed("superseded"), after: .zero)])
    }

    @Test func `a sign-in with Apple is observed once it completes, and its beginning is not`() async throws {
        let fixture = try Fixture(.sessionToken, options: recorder.options)
        let session = fixture.session
        let (app, redirectURI) = ("com.example.app", "com.example.app:/callback")
        _ = try await session.beginAppleSignIn(clientID: app, redirectURI: redirectURI)
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(
            await code { try await session.beginAppleSignIn(clientID: app, redirectURI: redirectURI) }
                == .storeUnavailable
        )
        #expect(signIns.isEmpty)
        let forged = redirectURI + "?code=a&state=forged"
        #expect(await code { try await session.completeSignIn(redirectedTo: forged) } == .stateMismatch)
        #expect(signIns == [.signInEnded(.failed("stateMismatch"), after: .zero)])
    }

    @Test func `only the first end of a sign-in counts`() async throws {
        struct WrongPIN: Error {}
        let fixture = try Fixture(options: recorder.options)
        let ticket = try await fixture.session.signInTicket()
        await #expect(throws: WrongPIN.self) {
            try await ticket.observing { () async throws -> Void in throw WrongPIN() }
        }
        let issued = IssuedTokens(
            tokens: TokenSet(
                accessToken: try AccessToken("access-1"),
                lifetime: TokenLifetime(expiresIn: nil, from: fixture.clock.date)
            ),
            requestedAt: fixture.session.clock.reading()
        )
        try await fixture.session.complete(ticket, with: issued, user: nil)
        #expect(recorder.events == [.signInEnded(.failed("WrongPIN"), after: .zero)])
    }

    @Test func `a sign-in that the app gives up is abandoned`() async throws {
        _ = try await Fixture(options: recorder.options).session.signInTicket()
        #expect(recorder.events == [.signInEnded(.abandoned, after: .zero)])
    }

    /// An error of another module that says that the user cancelled.
    private struct ClosedPage: ExplainedError {
        let eventType = "pageClosed"
        let isCancelled = true
        let isForUser = false
    }

    @Test(arguments: [CancellationError(), AuthSessionError(.signInCancelled), ClosedPage()] as [any Error])
    func `a cancelled sign-in is not observed as a failure`(error: any Error) async throws {
        let ticket = try await Fixture(options: recorder.options).session.signInTicket()
        try? await ticket.observing { () async throws -> Void in throw error }
        #expect(recorder.events == [.signInEnded(.cancelled, after: .zero)])
    }

    @Test func `the kind of an error is its code or its type, never its text`() {
        struct Refusal: Error, CustomStringConvertible {
            let description = "for ada@example.org"
        }
        #expect(SessionEvent.type(of: SecureStoreError(.timedOut, detail: "ada")) == "timedOut")
        let busy = AuthSessionError(.busy, serverCode: ServerErrorCode(rawValue: "ada"), serverMessage: "ada")
        #expect(SessionEvent.type(of: busy) == "busy")
        #expect(SessionEvent.type(of: Refusal()) == "Refusal")
        #expect(SessionEvent.type(of: ClosedPage()) == "pageClosed")
    }

    // MARK: Refreshes

    @Test func `a refresh begins and ends, with its duration and the requests that joined it`() async throws {
        let fixture = try await signedIn()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { [clock = fixture.clock] _ in
            await gate.pass()
            clock.advance(by: .milliseconds(20))
            return Backend.pair(2)
        }
        let first = Task { try await fixture.session.refresh() }
        await gate.waitForArrival()
        #expect(recorder.events == [.refreshBegan])
        let second = Task { try await fixture.session.refresh() }
        await settle()
        gate.open()
        try await first.value
        try await second.value
        var ended = refresh(.refreshed)
        (ended.duration, ended.joined) = (.milliseconds(20), 1)
        #expect(recorder.events == [.refreshBegan, .refreshEnded(ended)])
    }

    @Test func `a refresh that was sent again is a replay`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            return try await Backend.lost(request)
        }
        try await fixture.session.refresh()
        var ended = refresh(.refreshed)
        ended.isReplay = true
        #expect(recorder.events == [.refreshBegan, .refreshEnded(ended)])
    }

    @Test func `a refused refresh has its outcome and the callers' error`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
        #expect(recorder.refreshes == [refresh(.refused, error: "sessionEnded")])
    }

    @Test func `a refresh that a failing store prevents has failed`() async throws {
        let fixture = try await signedIn()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await code { try await fixture.session.refresh() } == .storeUnavailable)
        #expect(fixture.refreshes == 0)
        #expect(recorder.refreshes == [refresh(.failed, error: "storeUnavailable")])
    }

    @Test func `a fresh token is handed out without an event`() async throws {
        let fixture = try await signedIn()
        for _ in 0..<100 { _ = try await fixture.session.accessToken() }
        #expect(fixture.session.freshCredential != nil)
        #expect(recorder.events.isEmpty)
    }

    private static let locks: [(SecureStoreError?, SessionEvent.Refresh.Lock)] = [
        (nil, .acquired), (SecureStoreError(.denied), .unavailable),
    ]

    @Test(arguments: locks)
    func `a refresh tells how long it waited for the lock`(
        error: SecureStoreError?,
        lock: SessionEvent.Refresh.Lock
    ) async throws {
        let clock = Mutex<TestClock?>(nil)
        let fixed = FixedLock(error: error) { clock.withLock { $0?.advance(by: .milliseconds(20)) } }
        let fixture = try await signedIn(lock: .one(fixed))
        clock.withLock { $0 = fixture.clock }
        try await fixture.session.refresh()
        let refresh = try #require(recorder.refreshes.first)
        #expect(refresh.lock == lock && refresh.outcome == .refreshed)
        #expect(refresh.lockWait == .milliseconds(20) && refresh.duration == .milliseconds(20))
    }

    @Test func `a refresh that can't get the lock has failed`() async throws {
        let fixture = try await signedIn(lock: .one(FixedLock(error: SecureStoreError(.busy))))
        #expect(await code { try await fixture.session.refresh() } == .busy)
        var ended = refresh(.failed, error: "busy")
        ended.lock = .busy
        #expect(recorder.events == [.refreshBegan, .refreshEnded(ended)])
    }

    /// A lock that another process holds until the gate opens.
    private final class HeldLock: ProcessLock {
        let gate = Gate()
        private let isFirst = Mutex(true)

        func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result {
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { throw SecureStoreError(.busy) }
            await gate.pass()
            return try await work()
        }
    }

    @Test func `a refresh that is called off while it waits for the lock is abandoned`() async throws {
        let lock = HeldLock()
        let fixture = try await signedIn(lock: .one(lock))
        fixture.expire()
        await fixture.session.validate()
        try await fixture.session.flush()
        lock.gate.open()
        while recorder.refreshes.isEmpty {
            try Task.checkCancellation()
            await Task.yield()
        }
        #expect(fixture.refreshes == 0)
        var ended = refresh(.abandoned)
        ended.lock = .acquired
        #expect(recorder.refreshes == [ended])
    }

    @Test func `the tokens of another process are adopted`() async throws {
        let fixture = try await signedIn()
        var record = try await fixture.storedRecord()
        record.tokens.accessToken = try AccessToken("access-7")
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        try await fixture.session.refresh()
        #expect(recorder.events == [.refreshBegan, .adopted, .refreshEnded(refresh(.adopted))])
    }

    // MARK: The server and the store

    @Test func `a session goes offline once, and online once`() async throws {
        let fixture = try Fixture(options: recorder.options)
        try await fixture.goOffline()
        await fixture.session.validate()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        await fixture.session.reconnect()
        #expect(recorder.events.filter { $0 == .wentOffline || $0 == .cameOnline } == [.wentOffline, .cameOnline])
        #expect(recorder.refreshes.first == refresh(.failed, error: "unreachable"))
    }

    @Test func `tokens that the store does not accept are unsaved until they are written`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.pairRefresh) { [store = fixture.store] _ in
            store.faults.failWrites(with: SecureStoreError(.locked))
            return Backend.pair(2)
        }
        try await fixture.session.refresh()
        #expect(recorder.events == [.refreshBegan, .tokensUnsaved(.locked), .refreshEnded(refresh(.refreshed))])
        recorder.forget()
        _ = try? await fixture.session.flush()
        #expect(recorder.events.isEmpty)
        fixture.store.faults.failWrites(with: nil)
        try await fixture.session.flush()
        #expect(recorder.events == [.tokensSaved])
    }

    // MARK: Ends

    @Test func `a sign-out ends the session, and is observed with its duration and the store's error`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.logout) { [clock = fixture.clock] request in
            clock.advance(by: .milliseconds(20))
            return try await Backend.unreachable(request)
        }
        fixture.store.faults.lock()
        await fixture.session.signOut()
        let signOut = SessionEvent.signOutEnded(.failed, .locked, after: .milliseconds(20))
        #expect(recorder.events == [.sessionEnded(.userSignedOut), signOut])
    }

    @Test func `a sign-out that the server and the store accept has no error`() async throws {
        let fixture = try await signedIn()
        await fixture.session.signOut()
        #expect(recorder.events == [.sessionEnded(.userSignedOut), .signOutEnded(.revoked, nil, after: .zero)])
    }

    private static let ends: [(SignedOutReason, @Sendable (Fixture) async throws -> Void)] = [
        (.endedByServer, { try await $0.endByServer() }),
        (
            .userSignedOut,
            {
                try await $0.signIn()
                $0.respondWithOtherUser()
                try await $0.signIn()
            }
        ),
        (.refreshResponseLost, { try await $0.loseResponse() }),
        (.signedOutElsewhere, { try await $0.signOutElsewhere() }),
        (.unreadableRecord(.damaged), { try await $0.restoreUnreadable("{}") }),
    ]

    @Test(arguments: ends)
    func `the end of a session is observed with its reason`(
        reason: SignedOutReason,
        end: @escaping @Sendable (Fixture) async throws -> Void
    ) async throws {
        let fixture = try Fixture(options: recorder.options)
        try await end(fixture)
        let ends = recorder.events.filter { if case .sessionEnded = $0 { true } else { false } }
        #expect(ends == [.sessionEnded(reason)])
    }

    // MARK: Costs and secrets

    @Test func `without an observer, no event is made`() {
        SessionOptions().observe(
            {
                Issue.record("an event was made")
                return .adopted
            }()
        )
    }

    @Test func `each observer receives each event`() async throws {
        let other = EventRecorder()
        var options = recorder.options
        options.observers.append(other)
        try await ObservedLife.run(options)
        #expect(recorder.events.count > 10)
        #expect(recorder.events == other.events)
    }

    @Test func `no event has a value of a user, a token, a server or an error's text`() async throws {
        try await ObservedLife.run(recorder.options)
        #expect(recorder.events.count > 10)
        for event in recorder.events { ObservedLife.expectNoSecret(in: "\(event)") }
    }
}
