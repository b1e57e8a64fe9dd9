// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The two clocks that measure a token's lifetime.
///
/// The monotonic clock counts while this process lives, even if the wall clock is set. The wall clock is for times that
/// another process, or an earlier launch, stored.
public struct SessionClock: Sendable {
    /// The wall clock.
    public let date: @Sendable () -> Date
    /// The time since this value was created, by the monotonic clock.
    public let uptime: @Sendable () -> Duration
    /// The function that sleeps by the monotonic clock.
    let sleep: @Sendable (Duration) async throws -> Void
    /// The clock for the time limits of requests, which stands still while the machine sleeps.
    ///
    /// A response that came in the meantime is then still received after waking, and does not time out.
    public let suspendingClock: any Clock<Duration>

    /// Creates the clocks; the suspending one is for the time limits of requests.
    public init(
        date: @escaping @Sendable () -> Date,
        monotonic clock: some Clock<Duration>,
        suspendingClock: any Clock<Duration> = SuspendingClock()
    ) {
        (self.date, self.suspendingClock) = (date, suspendingClock)
        // `uptime` is called for every request, so the usual clock avoids the witness table.
        if let clock = clock as? ContinuousClock {
            let origin = clock.now
            uptime = { origin.duration(to: ContinuousClock.now) }
            sleep = { try await Task.sleep(for: $0, clock: .continuous) }
        } else {
            let origin = clock.now
            uptime = { origin.duration(to: clock.now) }
            sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        }
    }

    /// Returns the current time by both clocks.
    public func reading() -> ClockReading {
        // In this order, a pause between the two makes a token look older, never younger.
        let uptime = uptime()
        return ClockReading(date: date(), uptime: uptime)
    }

    /// Waits for work for at most five seconds by the monotonic clock, then cancels the work.
    ///
    /// - Throws: `CancellationError` at once if the caller's task is cancelled; the work is then cancelled too.
    func waitBriefly(for work: @escaping @Sendable () async -> Void) async throws {
        let end = Promise<Void>()
        let working = Task {
            await work()
            end.finish(.success(()))
        }
        let limit = Task { [sleep] in
            try await sleep(.seconds(5))
            end.finish(.success(()))
        }
        defer {
            working.cancel()
            limit.cancel()
        }
        try await end.value()
    }

    /// Performs work for at most five seconds; cancels it at the limit, and if the caller is cancelled.
    ///
    /// - Returns: Its result; nil if it did not end in time.
    package func briefly<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> Result<Value, any Error>? {
        let result = Mutex<Result<Value, any Error>?>(nil)
        try? await waitBriefly {
            do {
                let value = try await work()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        return result.withLock { $0 }
    }
}

/// A reading of both clocks.
public struct ClockReading: Sendable {
    /// The time by the wall clock.
    public let date: Date
    /// The time by the monotonic clock.
    public let uptime: Duration

    /// Creates a reading.
    public init(date: Date, uptime: Duration) { (self.date, self.uptime) = (date, uptime) }

    /// Returns the wall-clock time at a monotonic time, as if the wall clock had not been set since this reading.
    package func date(at uptime: Duration) -> Date { date + (uptime - self.uptime) / .seconds(1) }

    /// Returns the monotonic time of a past wall-clock time.
    ///
    /// A time in the future, after the wall clock was set back, counts as equally far in the past.
    public func uptime(of past: Date) -> Duration { uptime - .seconds(abs(date.timeIntervalSince(past))) }
}

/// The times at which a token is due for a refresh and expires, by this process's monotonic clock.
///
/// Once it is created, setting the wall clock makes a token look neither younger nor older.
package struct TokenDeadline: Sendable {
    /// The time until which the token is sent as it is.
    let freshUntil: Duration
    /// The time from which the token is no longer sent if a new one can be had.
    let expiredFrom: Duration
    /// The token's expiry; nil if it is unknown.
    let end: Duration?

    private static let never = Duration.seconds(1 << 40)

    /// Creates the deadline of a lifetime by the wall clock.
    ///
    /// - Parameters:
    ///   - reading: The reading of both clocks at which the lifetime was valid: the start of the token request, or the
    ///     read from the store.
    ///   - early: The part of the window's jitter that this token uses, from 0 to 1.
    package init(_ lifetime: TokenLifetime, at reading: ClockReading, window: RefreshWindow, early: Double) {
        guard let expiresAt = lifetime.expiresAt else {
            (freshUntil, expiredFrom, end) = (Self.never, Self.never, nil)
            return
        }
        let total = lifetime.issuedAt.map { max(0, expiresAt.timeIntervalSince($0)) }
        var left = expiresAt.timeIntervalSince(reading.date)
        // The wall clock may have been set back since the request: the token never has more left than its lifetime.
        if let total { left = min(left, total) }
        // A time from a store may be any number, and a duration can't.
        let longest = Self.never.timeInterval
        left = min(max(left, -longest), longest)
        let end = reading.uptime + .seconds(left)
        let spans = window.spans(forLifetime: total, early: early)
        self.end = end
        expiredFrom = end - .seconds(spans.earlyExpiry)
        freshUntil = end - .seconds(spans.refreshBefore)
    }

    func freshness(at uptime: Duration) -> TokenLifetime.Freshness {
        if uptime >= expiredFrom { return .expired }
        return uptime >= freshUntil ? .expiring : .fresh
    }

    package func isFresh(at uptime: Duration) -> Bool { freshness(at: uptime) == .fresh }

    func hasEnded(at uptime: Duration) -> Bool { end.map { $0 <= uptime } ?? false }

    /// Returns whether the token has an expiry that is still to come.
    func isLeft(at uptime: Duration) -> Bool { end != nil && !hasEnded(at: uptime) }

    package func lives(for span: Duration, from uptime: Duration) -> Bool { end.map { $0 - uptime >= span } ?? true }
}
