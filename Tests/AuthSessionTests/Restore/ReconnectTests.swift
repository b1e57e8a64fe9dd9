// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

/// A session that is offline or locked retries on its own.
@Suite(.timeLimit(.minutes(5)))
struct ReconnectTests {
    private static var options: SessionOptions {
        var options = SessionOptions.still
        options.reconnectsAutomatically = true
        return options
    }

    /// Returns a signed-in session whose backend has just become unreachable.
    private func offline(taking fraction: Double = 0) async throws -> Fixture {
        let fixture = try await Fixture.signedIn(
            .sessionToken,
            options: Self.options,
            randomFraction: { fraction }
        )
        fixture.backend.on(Backend.validate) { _ in throw TransportError(.timedOut, mayHaveReachedServer: false) }
        await fixture.session.validate()
        #expect(fixture.session.state.awaitsReconnect)
        return fixture
    }

    private func validations(_ fixture: Fixture) -> Int {
        fixture.transport.requests.count { $0.head.path == Backend.validate }
    }

    /// The extremes of the jitter: half of the pause, and all of it.
    @Test(arguments: [(0, [1, 2, 4, 8]), (1, [2, 4, 8, 16])] as [(Double, [Int])])
    func `an offline session retries with growing pauses until the server responds`(
        fraction: Double,
        pauses: [Int]
    ) async throws {
        let fixture = try await offline(taking: fraction)
        for (number, pause) in pauses.enumerated() {
            await fixture.clock.sleepers()
            #expect(validations(fixture) == number + 1)
            fixture.clock.advance(by: .seconds(pause) - .milliseconds(1))
            await settle()
            #expect(validations(fixture) == number + 1)
            fixture.clock.advance(by: .milliseconds(1))
            while validations(fixture) < number + 2 { await Task.yield() }
        }
        await fixture.clock.sleepers()
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Backend.user)}"#) }
        fixture.clock.advance(by: .seconds(2 * pauses[3]))
        for await state in fixture.session.states where !state.awaitsReconnect { break }
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.clock.sleeperCount == 0)
    }

    @Test func `the offline date stays the same however often a retry fails`() async throws {
        let fixture = try await offline()
        let since = fixture.clock.date
        for number in 1...3 {
            await fixture.clock.sleepers()
            fixture.clock.advance(by: .seconds(300))
            while validations(fixture) == number { await Task.yield() }
        }
        #expect(await fixture.session.reconnect() == .signedIn(fixture.user, .offline(since: since)))
    }

    @Test func `an expired token pair is refreshed by the next retry after the server returns`() async throws {
        let fixture = try await Fixture.signedIn(.tokenPair, options: Self.options)
        fixture.clock.advance(by: .seconds(900))
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await fixture.session.validate() == .signedIn(fixture.user, .offline(since: fixture.clock.date)))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .milliseconds(999))
        await settle()
        #expect(fixture.isOffline)
        #expect(fixture.refreshes == 1)
        fixture.clock.advance(by: .milliseconds(1))
        for await state in fixture.session.states where !state.awaitsReconnect { break }
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.refreshes == 2)
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `reconnect retries at once and resets the backoff`() async throws {
        let fixture = try await offline()
        for _ in 0..<5 {
            await fixture.clock.sleepers()
            let before = validations(fixture)
            fixture.clock.advance(by: .seconds(300))
            while validations(fixture) == before { await Task.yield() }
        }
        await fixture.clock.sleepers()
        let before = validations(fixture)
        #expect(await fixture.session.reconnect().awaitsReconnect)
        #expect(validations(fixture) == before + 1)
        await fixture.clock.sleepers()
        #expect(fixture.clock.sleeperCount == 1)
        fixture.clock.advance(by: .seconds(2))
        while validations(fixture) == before + 1 { await Task.yield() }
    }

    @Test func `a locked store is read again, and the session opens once the store is unlocked`() async throws {
        let fixture = try await Fixture.signedIn(options: Self.options)
        let other = try fixture.otherProcess()
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        await other.restore(validating: false)
        #expect(other.state.isLocked)
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(1))
        await settle()
        #expect(other.state.isLocked)
        await fixture.clock.sleepers()
        fixture.store.faults.failAll(with: nil)
        fixture.clock.advance(by: .seconds(15))
        for await state in other.states where !state.awaitsReconnect { break }
        #expect(other.state == fixture.signedInState)
    }

    @Test(arguments: [429, 503])
    func `an automatic retry waits until Retry-After has passed`(status: Int) async throws {
        let fixture = try await offline()
        fixture.backend.on(Backend.validate) { _ in .json("{}", status: status, headers: [.retryAfter: "60"]) }
        await fixture.clock.sleepers()
        // A check by the app receives `Retry-After`, and the current pause is replaced.
        await fixture.session.validate()
        await fixture.clock.sleepers()
        let before = validations(fixture)
        fixture.clock.advance(by: .milliseconds(59_999))
        await settle()
        #expect(validations(fixture) == before)
        fixture.clock.advance(by: .milliseconds(1))
        while validations(fixture) == before { await Task.yield() }
        // `Retry-After` applies only as long as each response repeats it.
        fixture.backend.on(Backend.validate) { _ in .json("{}", status: status) }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(60))
        while validations(fixture) == before + 1 { await Task.yield() }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(16))
        while validations(fixture) == before + 2 { await Task.yield() }
    }

    @Test func `reconnect validates at once despite Retry-After`() async throws {
        let fixture = try await offline()
        fixture.backend.on(Backend.validate) { _ in .json("{}", status: 503, headers: [.retryAfter: "86400"]) }
        await fixture.session.validate()
        let before = validations(fixture)
        #expect(await fixture.session.reconnect().awaitsReconnect)
        #expect(validations(fixture) == before + 1)
        // `Retry-After` is capped: a day is too long.
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(300))
        while validations(fixture) == before + 1 { await Task.yield() }
    }

    @Test func `a sign-out stops the automatic retries`() async throws {
        let fixture = try await offline()
        await fixture.clock.sleepers()
        await fixture.session.signOut()
        await settle()
        #expect(fixture.clock.sleeperCount == 0)
    }

    @Test func `automatic retries do not keep an unused session in memory`() async throws {
        let clock = TestClock()
        weak var gone: AuthSession?
        do {
            let store = GatedStore()
            store.faults.failAll(with: SecureStoreError(.locked))
            let session = AuthSession(
                backend: try Fixture.sessionBackend(.sessionToken),
                store: store,
                clock: clock,
                options: Self.options
            )
            await session.restore()
            gone = session
            await clock.sleepers()
        }
        #expect(gone == nil)
    }

    @Test func `the backoff doubles, is jittered and has an upper limit`() {
        func next(_ pause: ReconnectBackoff, ofStore isStore: Bool = false, _ fraction: Double) -> Duration {
            pause.next(ofStore: isStore, fraction: fraction, at: .zero)
        }
        var pause = ReconnectBackoff()
        #expect(next(pause, 0) == .seconds(1))
        #expect(next(pause, 1) == .seconds(2))
        #expect(next(pause, ofStore: true, 1) == .seconds(1))
        for _ in 0..<100 { pause.fail() }
        #expect(next(pause, 0) == .seconds(150))
        #expect(next(pause, 1) == .seconds(300))
        #expect(next(pause, ofStore: true, 1) == .seconds(15))
        #expect(next(pause, ofStore: true, -1) == .milliseconds(7_500))
        pause.resetFailures()
        #expect(next(pause, 1) == .seconds(2))
    }

    @Test func `Retry-After is limited to five minutes and never negative`() {
        var pause = ReconnectBackoff()
        pause.noteRetryAfter(.seconds(1 << 40), at: .seconds(100))
        #expect(pause.remainingRetryAfter(at: .seconds(100)) == .seconds(300))
        pause.noteRetryAfter(.seconds(-1 << 40), at: .seconds(100))
        #expect(pause.remainingRetryAfter(at: .seconds(100)) == .zero)
    }

    @Test func `Retry-After counts from its response and is cleared only by time`() {
        var pause = ReconnectBackoff()
        pause.noteRetryAfter(.seconds(60), at: .seconds(100))
        #expect(pause.next(ofStore: false, fraction: 0, at: .seconds(100)) == .seconds(60))
        #expect(pause.next(ofStore: false, fraction: 1, at: .seconds(100)) == .seconds(75))
        #expect(pause.next(ofStore: true, fraction: 1, at: .seconds(100)) == .seconds(1))
        pause.noteRetryAfter(nil, at: .seconds(110))
        pause.resetFailures()
        #expect(pause.next(ofStore: false, fraction: 0, at: .seconds(120)) == .seconds(40))
        #expect(pause.remainingRetryAfter(at: .seconds(160)) == .zero)
        #expect(pause.next(ofStore: false, fraction: 1, at: .seconds(160)) == .seconds(2))
    }
}
