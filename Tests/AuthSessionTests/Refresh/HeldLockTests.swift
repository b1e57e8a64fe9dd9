// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

/// Another process holds the lock but does not run: it is stopped, or its machine sleeps.
@Suite(.timeLimit(.minutes(5)))
struct HeldLockTests {
    /// A lock that another process holds until the test releases it.
    private final class HeldLock: ProcessLock {
        private let clock = Mutex<TestClock?>(nil)
        private let isHeld = Mutex(true)

        func wait(by clock: TestClock) { self.clock.withLock { $0 = clock } }

        func release() { isHeld.withLock { $0 = false } }

        func withLock<Result>(timeout: Duration, _ work: () async throws -> Result) async throws -> Result {
            if isHeld.withLock({ $0 }) { try await clock.withLock { $0 }?.sleep(for: timeout) }
            if isHeld.withLock({ $0 }) { throw SecureStoreError(.busy) }
            return try await work()
        }
    }

    /// Returns a session whose token pair has the given age.
    private func signedIn(age: Duration) async throws -> (Fixture, HeldLock) {
        let lock = HeldLock()
        let fixture = try await Fixture.signedIn(lock: .one(lock))
        lock.wait(by: fixture.clock)
        fixture.clock.advance(by: age)
        return (fixture, lock)
    }

    @Test func `a refresh fails within its timeout and keeps the session`() async throws {
        let (fixture, lock) = try await signedIn(age: .seconds(900))
        let begin = fixture.clock.now
        let token = Task { try await sessionError { try await fixture.session.accessToken() } }
        for _ in 0..<2 {
            await fixture.clock.sleepers()
            _ = fixture.clock.advanceToNextSleeper()
        }
        let error = try await token.value
        #expect(error.code == .busy)
        #expect(!error.endsSession && error.isRetryable)
        #expect(begin.duration(to: fixture.clock.now) < .seconds(30))
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.refreshes == 0)

        lock.release()
        fixture.clock.advance(by: .seconds(1))
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `an expiring token is returned after one second if the lock is held`() async throws {
        let (fixture, _) = try await signedIn(age: .seconds(870))
        async let token = fixture.session.accessToken().unredacted
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        #expect(try await token == "access-1")
        // The next call does not wait either.
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(fixture.refreshes == 0)
    }

    @Test func `a caller waits longer for the lock if its token expires during the short wait`() async throws {
        let (fixture, lock) = try await signedIn(age: .milliseconds(899_500))
        async let token = fixture.session.accessToken().unredacted
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        await settle()
        await fixture.clock.sleepers()
        lock.release()
        fixture.clock.advance(by: .seconds(23))
        #expect(try await token == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test(arguments: [870, 900])
    func `validation works without the held lock and checks whether the server is reachable`(
        age: Int
    ) async throws {
        let (fixture, _) = try await signedIn(age: .seconds(age))
        async let state = fixture.session.validate()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        #expect(await state == fixture.signedInState)
        #expect(fixture.transport.count(of: "/") == 1)
        #expect(fixture.refreshes == 0)
    }

    @Test(arguments: ["token_expired", "session_ended"])
    func `validation treats a 401 for an expired token only as a sign that the server is reachable`(refusal: String)
        async throws
    {
        let lock = HeldLock()
        let fixture = try await Fixture.signedIn(.sessionToken, lock: .one(lock))
        lock.wait(by: fixture.clock)
        fixture.clock.advance(by: .seconds(31 * 86_400))
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: refusal) }
        async let state = fixture.session.validate()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        #expect(await state == fixture.signedInState)
        #expect(fixture.transport.count(of: Backend.validate) == 1)
        #expect(try await fixture.stored() != nil)
    }

    @Test func `flush cancels a refresh that only waits for the lock and has no waiting caller`() async throws {
        let (fixture, lock) = try await signedIn(age: .seconds(870))
        async let token = fixture.session.accessToken()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        _ = try await token
        try await fixture.session.flush()
        #expect(await fixture.session.flight == nil)
        // The refresh that still waits for the lock sends nothing once it acquires it.
        await fixture.clock.sleepers()
        lock.release()
        fixture.clock.advance(by: .seconds(23))
        await settle()
        #expect(fixture.refreshes == 0)
    }

    @Test func `a refresh with an open journal keeps waiting for the lock after its caller and flush return`()
        async throws
    {
        let (fixture, lock) = try await signedIn(age: .zero)
        var record = try await fixture.storedRecord()
        record.refreshBegunAt = fixture.clock.date
        try await fixture.store.setItem(try record.encoded(), forKey: SessionRecord.key)
        let session = try fixture.otherProcess()
        #expect(try await session.accessToken().unredacted == "access-1")
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        try await session.flush()
        #expect(await session.flight != nil)
        #expect(fixture.refreshes == 0)
        await fixture.clock.sleepers()
        lock.release()
        let sent = Event()
        fixture.backend.on(Backend.pairRefresh) { _ in
            sent.happen()
            return Backend.pair(2)
        }
        fixture.clock.advance(by: .seconds(23))
        await sent.wait()
    }

    @Test func `flush waits for a refresh that has been sent, even if the lock delayed it`() async throws {
        let (fixture, lock) = try await signedIn(age: .seconds(870))
        async let token = fixture.session.accessToken()
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        _ = try await token
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        await fixture.clock.sleepers()
        lock.release()
        fixture.clock.advance(by: .seconds(23))
        await gate.waitForArrival()
        let saved = Event()
        let flushing = Task {
            try await fixture.session.flush()
            #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == "access-2")
            saved.happen()
        }
        await settle()
        gate.open()
        await saved.wait()
        try await flushing.value
    }

    @Test func `flush does not cancel a refresh that a caller waits for`() async throws {
        let (fixture, lock) = try await signedIn(age: .seconds(900))
        async let token = fixture.session.accessToken().unredacted
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        async let saved: Void = fixture.session.flush()
        await settle()
        await fixture.clock.sleepers()
        lock.release()
        fixture.clock.advance(by: .seconds(23))
        #expect(try await token == "access-2")
        try await saved
    }
}
