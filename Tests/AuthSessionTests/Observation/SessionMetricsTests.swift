// SPDX-License-Identifier: Apache-2.0

#if Metrics
import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import MetricsTestKit
import SecureStore
import Testing

@testable import AuthSession

@Suite(.timeLimit(.minutes(1)))
struct SessionMetricsTests {
    private let metrics = TestMetrics()

    private func signedIn(lock: LockPolicy = .none) async throws -> Fixture {
        try await Fixture.signedIn(lock: lock, options: .measured(by: metrics))
    }

    // MARK: Sign-ins

    @Test func `a sign-in is recorded once, with its duration`() async throws {
        let fixture = try Fixture(options: .measured(by: metrics))
        fixture.backend.on(Backend.login) { [clock = fixture.clock] _ in
            clock.advance(by: .milliseconds(20))
            return Backend.pair(1, user: true)
        }
        try await fixture.signIn()
        let durations = metrics.durations("sign_in.duration", ["outcome": "success", "error.type": "none"])
        #expect(durations == [20_000_000])
        #expect(metrics.count("sign_in.duration") == 1)
    }

    @Test func `a refused sign-in is recorded by the session's code, not the server's`() async throws {
        let fixture = try Fixture(options: .measured(by: metrics))
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        #expect(await code { try await fixture.signIn() } == .signInRefused)
        let durations = metrics.durations("sign_in.duration", ["outcome": "failed", "error.type": "signInRefused"])
        #expect(durations.count == 1 && metrics.count("sign_in.duration") == 1)
    }

    @Test func `a sign-in that the store prevents is recorded`() async throws {
        let fixture = try Fixture(options: .measured(by: metrics))
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await code { try await fixture.signIn() } == .storeUnavailable)
        let durations = metrics.durations("sign_in.duration", ["outcome": "failed", "error.type": "storeUnavailable"])
        #expect(durations.count == 1 && metrics.count("sign_in.duration") == 1)
    }

    @Test func `a superseded sign-in is recorded`() async throws {
        let fixture = try Fixture(options: .measured(by: metrics))
        let gate = fixture.holdSignIn()
        let signIn = Task { try await fixture.signIn() }
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        await #expect(throws: AuthSessionError.self) { try await signIn.value }
        let durations = metrics.durations("sign_in.duration", ["outcome": "failed", "error.type": "superseded"])
        #expect(durations.count == 1)
    }

    @Test func `a sign-in that completes after a sign-out is recorded, whichever module requested its tokens`()
        async throws
    {
        let fixture = try Fixture(options: .measured(by: metrics))
        let ticket = try await fixture.session.signInTicket()
        await fixture.session.signOut()
        let lifetime = TokenLifetime(expiresIn: nil, from: fixture.clock.date)
        let issued = IssuedTokens(
            tokens: TokenSet(accessToken: try AccessToken("access-1"), lifetime: lifetime),
            requestedAt: fixture.session.clock.reading()
        )
        #expect(await code { try await fixture.session.complete(ticket, with: issued, user: nil) } == .superseded)
        let durations = metrics.durations("sign_in.duration", ["outcome": "failed", "error.type": "superseded"])
        #expect(durations.count == 1 && metrics.count("sign_in.duration") == 1)
    }

    @Test func `a sign-in with Apple is recorded once it completes, and its beginning is not`() async throws {
        let fixture = try Fixture(.sessionToken, options: .measured(by: metrics))
        let session = fixture.session
        let (app, redirectURI) = ("com.example.app", "com.example.app:/callback")
        _ = try await session.beginAppleSignIn(clientID: app, redirectURI: redirectURI)
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(
            await code { try await session.beginAppleSignIn(clientID: app, redirectURI: redirectURI) }
                == .storeUnavailable
        )
        #expect(metrics.count("sign_in.duration") == 0)
        let forged = redirectURI + "?code=a&state=forged"
        #expect(await code { try await session.completeSignIn(redirectedTo: forged) } == .stateMismatch)
        let durations = metrics.durations("sign_in.duration", ["outcome": "failed", "error.type": "stateMismatch"])
        #expect(durations.count == 1 && metrics.count("sign_in.duration") == 1)
    }

    // MARK: Refreshes

    @Test func `fifty callers are one refresh and forty-nine that joined it`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(900))
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let callers = (0..<50).map { _ in Task { try await fixture.session.accessToken().unredacted } }
        var joined = 0
        while joined < 49 {
            try Task.checkCancellation()
            await Task.yield()
            await fixture.session.flight?.note { joined = $0.joined }
        }
        gate.open()
        for caller in callers { #expect(try await caller.value == "access-2") }
        #expect(metrics.counterTotal(label: "sallyport.session.refresh.joined") == 49)
        let durations = metrics.durations("refresh.duration", ["outcome": "refreshed", "error.type": "none"])
        #expect(durations.count == 1 && metrics.count("refresh.duration") == 1)
    }

    @Test func `a replay is counted, and is one refresh`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            return try await Backend.lost(request)
        }
        try await fixture.session.refresh()
        #expect(fixture.refreshes == 2)
        #expect(metrics.counterTotal(label: "sallyport.session.refresh.replayed") == 1)
        let durations = metrics.durations("refresh.duration", ["outcome": "refreshed", "error.type": "none"])
        #expect(durations.count == 1)
    }

    @Test func `a refused refresh and the end of its session are recorded`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
        await settle()
        let durations = metrics.durations("refresh.duration", ["outcome": "refused", "error.type": "sessionEnded"])
        #expect(durations.count == 1)
        #expect(metrics.counterTotal(label: "sallyport.session.ended", dimensions: [("reason", "endedByServer")]) == 1)
        #expect(metrics.counterTotal(label: "sallyport.session.ended") == 1)
    }

    @Test func `a fresh token is handed out without a measurement`() async throws {
        let fixture = try await signedIn()
        _ = try await fixture.session.accessToken()
        let before = metrics.total
        for _ in 0..<100 { _ = try await fixture.session.accessToken() }
        #expect(fixture.session.freshCredential != nil)
        #expect(metrics.total == before)
    }

    // MARK: The lock, the server and the store

    private static let locks: [(SecureStoreError?, String, String, String)] = [
        (nil, "acquired", "refreshed", "none"),
        (SecureStoreError(.busy), "busy", "failed", "busy"),
        (SecureStoreError(.denied), "unavailable", "refreshed", "none"),
    ]

    @Test(arguments: locks)
    func `the wait for the lock is recorded once`(
        error: SecureStoreError?,
        wait: String,
        outcome: String,
        type: String
    ) async throws {
        let fixture = try await signedIn(lock: .one(FixedLock(error: error)))
        _ = try? await fixture.session.refresh()
        #expect(metrics.durations("lock.wait.duration", ["outcome": wait]).count == 1)
        #expect(metrics.count("lock.wait.duration") == 1)
        #expect(metrics.durations("refresh.duration", ["outcome": outcome, "error.type": type]).count == 1)
    }

    @Test func `a refresh that a failing store prevents is recorded`() async throws {
        let fixture = try await signedIn()
        fixture.store.faults.failWrites(with: SecureStoreError(.full))
        #expect(await code { try await fixture.session.refresh() } == .storeUnavailable)
        #expect(fixture.refreshes == 0)
        let durations = metrics.durations("refresh.duration", ["outcome": "failed", "error.type": "storeUnavailable"])
        #expect(durations.count == 1)
    }

    @Test func `changes of the server's and the store's reach, and adoptions, are counted`() {
        let observer = SessionMetrics(factory: metrics)
        let events: [SessionEvent] = [
            .refreshBegan, .adopted, .wentOffline, .cameOnline, .tokensUnsaved(.locked), .tokensSaved,
        ]
        for event in events { observer.observe(event) }
        for name in ["refresh.begun", "adopted", "offline", "online", "saved"] {
            #expect(metrics.counterTotal(label: "sallyport.session.\(name)", dimensions: []) == 1)
        }
        let reason = [("error.type", "locked")]
        #expect(metrics.counterTotal(label: "sallyport.session.unsaved", dimensions: reason) == 1)
        #expect(metrics.total == events.count)
    }

    // MARK: Ends

    @Test func `a sign-out is recorded with its outcome at the server, and ends one session`() async throws {
        let fixture = try await signedIn()
        await fixture.session.signOut()
        let durations = metrics.durations("sign_out.duration", ["outcome": "revoked", "error.type": "none"])
        #expect(durations.count == 1)
        #expect(metrics.counterTotal(label: "sallyport.session.ended", dimensions: [("reason", "userSignedOut")]) == 1)
    }

    @Test func `a sign-out that fails at the server and in the store is recorded`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.logout, Backend.unreachable)
        fixture.store.faults.lock()
        await fixture.session.signOut()
        let durations = metrics.durations("sign_out.duration", ["outcome": "failed", "error.type": "locked"])
        #expect(durations.count == 1)
    }

    @Test func `a user who is replaced by another one counts as an ended session`() async throws {
        let fixture = try await signedIn()
        fixture.respondWithOtherUser()
        try await fixture.signIn()
        #expect(metrics.counterTotal(label: "sallyport.session.ended", dimensions: [("reason", "userSignedOut")]) == 1)
    }

    @Test func `a stored session that can't be read counts as an ended session`() async throws {
        let fixture = try await signedIn()
        try await fixture.store.setItem(SecretBytes(Array("{}".utf8)), forKey: SessionRecord.key)
        try await fixture.otherProcess().restore()
        let reason = [("reason", "unreadableRecord")]
        #expect(metrics.counterTotal(label: "sallyport.session.ended", dimensions: reason) == 1)
    }

    // MARK: Secrets

    @Test func `no label has a value of a user, a token, a server or an error's text`() async throws {
        try await MeasuredLife.run(.measured(by: metrics))
        var labels: [(String, String)] = []
        for timer in metrics.timers { labels += [("", timer.label)] + timer.dimensions }
        for counter in metrics.counters { labels += [("", counter.label)] + counter.dimensions }
        #expect(labels.count > 20)
        for (name, value) in labels {
            MeasuredLife.expectNoSecret(in: name)
            MeasuredLife.expectNoSecret(in: value)
            if !name.isEmpty { #expect(value.allSatisfy { $0.isLetter && $0.isASCII }, "\(name)=\(value)") }
        }
    }
}
#endif
