// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// A session that refreshes without a caller.
///
/// Its tokens live for 15 minutes and are due after 14.
@Suite(.timeLimit(.minutes(5)))
struct KeepFreshTests {
    /// A session that is kept fresh, in a task.
    private struct KeptSession {
        let session: AuthSession
        let clock: TestClock
        let task: Task<Void, any Error>
        private let end = Promise<Void>()

        init(_ session: AuthSession, on clock: TestClock) {
            self.session = session
            self.clock = clock
            task = Task { [end] in
                defer { end.finish(.success(())) }
                try await session.keepFresh()
            }
        }

        var hasEnded: Bool { end.isFinished }

        var accessToken: String? {
            get async { await session.inMemoryTokens?.accessToken.unredacted }
        }

        /// Moves the clock by seconds, and waits before and after each of them until the session sleeps.
        func pass(_ seconds: Int) async {
            await asleep()
            for _ in 0..<seconds {
                clock.advance(by: .seconds(1))
                await asleep()
            }
        }

        /// Waits until the session sleeps.
        ///
        /// A refresh in progress sleeps too, until it is sent a second time.
        func asleep() async {
            repeat { await clock.sleepers() } while await session.flight != nil
        }

        /// Cancels the task, and waits until it has returned.
        func stop() async throws {
            task.cancel()
            try await task.value
        }
    }

    private static let refused: Backend.Handler = { _ in Backend.failure(401, code: "invalid_grant") }

    // MARK: Refreshes

    @Test func `a token is refreshed when it is due, without a caller`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(839)
        #expect(fixture.refreshes == 0)
        await kept.pass(5)
        #expect(fixture.refreshes == 1)
        #expect(await kept.accessToken == "access-2")
        await kept.pass(845)
        #expect(await kept.accessToken == "access-3")
        try await kept.stop()
    }

    @Test func `a token is refreshed as early as the jitter says, while it is still sent`() async throws {
        let fixture = try await Fixture.signedIn(randomFraction: { 1 })
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(809)
        #expect(fixture.refreshes == 0)
        await kept.pass(5)
        #expect(await kept.accessToken == "access-2")
        await kept.pass(60)
        #expect(fixture.refreshes == 1)
        try await kept.stop()
    }

    @Test func `a fresh token costs no request, and few sleeps`() async throws {
        let fixture = try await Fixture.signedIn()
        let before = fixture.transport.requests.count
        let kept = KeptSession(fixture.session, on: fixture.clock)
        let end = fixture.clock.now.advanced(by: .seconds(780))
        var sleeps = 0
        while fixture.clock.now < end {
            await kept.asleep()
            fixture.clock.advanceToNextSleeper()
            sleeps += 1
        }
        #expect(sleeps == 13)
        #expect(fixture.transport.requests.count == before)
        try await kept.stop()
    }

    @Test func `a wall clock that is set back delays no refresh`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1)
        fixture.clock.stepDate(by: .seconds(-86_400))
        await kept.pass(844)
        #expect(fixture.refreshes == 1)
        try await kept.stop()
    }

    @Test func `a token that is marked as refused is replaced within a minute`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1)
        try await fixture.session.invalidate(try await fixture.session.accessToken())
        await kept.pass(61)
        #expect(await kept.accessToken == "access-2")
        try await kept.stop()
    }

    @Test func `a stored session is restored`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(try fixture.otherProcess(), on: fixture.clock)
        await kept.pass(844)
        #expect(kept.session.state == fixture.signedInState)
        #expect(await kept.accessToken == "access-2")
        try await kept.stop()
    }

    @Test func `a caller shares the refresh`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = fixture.holdRefresh()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(839)
        fixture.clock.advance(by: .seconds(5))
        await gate.waitForArrival()
        let caller = Task { try await fixture.session.accessToken() }
        await settle()
        gate.open()
        #expect(try await caller.value.unredacted == "access-2")
        #expect(fixture.refreshes == 1)
        try await kept.stop()
    }

    // MARK: Faults

    @Test func `after a fault the refresh is tried again, with growing pauses`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1_000)
        let attempts = fixture.refreshes
        #expect((3...12).contains(attempts))
        #expect(fixture.isOffline)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        await kept.pass(150)
        #expect(fixture.refreshes == attempts + 1)
        #expect(await kept.accessToken == "access-2")
        #expect(fixture.session.state == fixture.signedInState)
        try await kept.stop()
    }

    @Test func `no refresh is sent before the server allows`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in .json("{}", status: 503, headers: [.retryAfter: "200"]) }
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(845)
        let attempts = fixture.refreshes
        await kept.pass(190)
        #expect(fixture.refreshes == attempts)
        await kept.pass(70)
        #expect(fixture.refreshes > attempts)
        try await kept.stop()
    }

    @Test func `tokens that are due on arrival are refreshed with growing pauses`() async throws {
        let fixture = try await Fixture.signedIn()
        let issued = Mutex(1)
        fixture.backend.on(Backend.pairRefresh) { _ in
            let number = issued.withLock { issued in
                issued += 1
                return issued
            }
            return .json(
                """
                {"accessToken": "access-\(number)", "refreshToken": "refresh-\(number)", "tokenType": "Bearer", \
                "expiresIn": 0}
                """
            )
        }
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1_440)
        #expect((3...20).contains(fixture.refreshes))
        try await kept.stop()
    }

    @Test func `a locked store is waited for`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        let kept = KeptSession(try fixture.otherProcess(), on: fixture.clock)
        await kept.pass(120)
        #expect(kept.session.state == .locked(SecureStoreError(.locked)))
        fixture.unlockStore()
        await kept.pass(16)
        #expect(kept.session.state == fixture.signedInState)
        try await kept.stop()
    }

    // MARK: The end

    @Test func `without a session it ends at once`() async throws {
        let fixture = try Fixture()
        #expect(await code { try await fixture.session.keepFresh() } == .notSignedIn)
    }

    @Test func `the server's end of the session is the error`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Self.refused)
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(839)
        fixture.clock.advance(by: .seconds(5))
        #expect(await code { try await kept.task.value } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.endedByServer))
    }

    @Test func `the end of a session that another caller meets is noticed at once`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh, Self.refused)
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1)
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
        #expect(await code { try await kept.task.value } == .sessionEnded)
    }

    @Test func `a sign-out ends it`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1)
        await fixture.session.signOut()
        #expect(await code { try await kept.task.value } == .notSignedIn)
    }

    @Test func `it sleeps while a first sign-in is being written`() async throws {
        let fixture = try Fixture()
        let gate = Gate()
        fixture.store.holdChanges(at: gate)
        async let user = fixture.signIn()
        await gate.waitForArrival()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.asleep()
        for _ in 0..<1_000 {
            await Task.yield()
            #expect(fixture.clock.sleeperCount > 0)
        }
        gate.open()
        _ = try await user
        try await kept.stop()
    }

    @Test func `it returns if its task is cancelled`() async throws {
        let fixture = try await Fixture.signedIn()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(1)
        #expect(!kept.hasEnded)
        try await kept.stop()
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a cancellation during a refresh keeps the new tokens`() async throws {
        let fixture = try await Fixture.signedIn()
        let gate = fixture.holdRefresh()
        let kept = KeptSession(fixture.session, on: fixture.clock)
        await kept.pass(839)
        fixture.clock.advance(by: .seconds(5))
        await gate.waitForArrival()
        kept.task.cancel()
        await settle()
        #expect(!kept.hasEnded)
        gate.open()
        try await kept.task.value
        let stored = try await fixture.storedRecord()
        #expect(stored.tokens.accessToken.unredacted == "access-2")
        #expect(stored.refreshBegunAt == nil)
        #expect(fixture.refreshes == 1)
    }
}

extension Fixture {
    /// Holds the response to a refresh back.
    ///
    /// - Returns: The gate at which the response waits.
    fileprivate func holdRefresh() -> Gate {
        let gate = Gate()
        backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        return gate
    }
}
