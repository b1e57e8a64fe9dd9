// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The clocks that measure a token's lifetime.
///
/// The monotonic clock counts while this process lives, even if the wall clock is set. For times that another process,
/// or an earlier launch, stored, the clock of the machine's start does the same until the machine restarts. After that,
/// the wall clock decides.
public struct SessionClock: Sendable {
    /// The wall clock.
    public let date: @Sendable () -> Date
    /// The time since this value was created, by the monotonic clock.
    public let uptime: @Sendable () -> Duration
    /// The time by the clock of the machine's start; nil if the system doesn't say.
    ///
    /// Always nil with another monotonic clock than the system's: a test's clock does not count along.
    package var bootTime: @Sendable () -> BootTime? = { nil }
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
            bootTime = { BootTime.now }
            sleep = { try await Task.sleep(for: $0, clock: .continuous) }
        } else {
            let origin = clock.now
            uptime = { origin.duration(to: clock.now) }
            sleep = { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
        }
    }

    /// Returns the current time by all clocks.
    public func reading() -> ClockReading {
        // In this order, a pause in between makes a token look older, never younger.
        let (uptime, bootTime) = (uptime(), bootTime())
        return ClockReading(date: date(), uptime: uptime, bootTime: bootTime)
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

/// A reading of the clocks.
public struct ClockReading: Sendable {
    /// The time by the wall clock.
    public let date: Date
    /// The time by the monotonic clock.
    public let uptime: Duration
    /// The time by the clock of the machine's start; nil if it is unknown.
    package let bootTime: BootTime?

    /// Creates a reading.
    public init(date: Date, uptime: Duration) { self.init(date: date, uptime: uptime, bootTime: nil) }

    package init(date: Date, uptime: Duration, bootTime: BootTime?) {
        (self.date, self.uptime, self.bootTime) = (date, uptime, bootTime)
    }

    /// Returns the wall-clock time at a monotonic time, as if the wall clock had not been set since this reading.
    package func date(at uptime: Duration) -> Date { date + (uptime - self.uptime) / .seconds(1) }

    /// Returns the monotonic time of a past wall-clock time.
    ///
    /// A time in the future, after the wall clock was set back, counts as equally far in the past.
    public func uptime(of past: Date) -> Duration { uptime - .seconds(abs(date.timeIntervalSince(past))) }

    /// Returns the monotonic time of a past moment: since the machine's start by its clock, else by the wall clock.
    func uptime(of past: Date, _ boot: BootTime?) -> Duration {
        bootTime?.seconds(since: boot).map { uptime - .seconds($0) } ?? uptime(of: past)
    }

    /// Returns the reading at a past wall-clock time.
    package func reading(at past: Date) -> ClockReading {
        let uptime = uptime(of: past)
        let bootTime = bootTime?.earlier(by: (self.uptime - uptime) / .seconds(1))
        return ClockReading(date: past, uptime: uptime, bootTime: bootTime)
    }
}

extension TokenLifetime {
    /// The time from the issue to the expiry, in seconds, not positive if the token was over when it was issued; nil if
    /// unknown.
    var span: Double? {
        guard let issuedAt, let expiresAt else { return nil }
        return expiresAt.timeIntervalSince(issuedAt)
    }

    /// Notes when the token was issued by the clock of the machine's start.
    ///
    /// - Parameter reading: The clocks at the start of the token request.
    package mutating func noteBootTime(at reading: ClockReading) {
        issuedAtBoot = issuedAt.flatMap { reading.bootTime?.earlier(by: reading.date.timeIntervalSince($0)) }
    }

    /// Returns the lifetime by the present wall clock, which may have been set since the token was issued.
    ///
    /// After a restart of the machine, the lifetime stays as it is.
    package func restated(at now: ClockReading) -> TokenLifetime {
        guard let issuedAt, let age = now.bootTime?.seconds(since: issuedAtBoot) else { return self }
        let start = now.date - age
        var new = TokenLifetime(issuedAt: start, expiresAt: expiresAt.map { start + $0.timeIntervalSince(issuedAt) })
        new.issuedAtBoot = issuedAtBoot
        return new
    }
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

    /// Creates the deadline of a lifetime.
    ///
    /// - Parameters:
    ///   - reading: The reading of the clocks at which the lifetime was valid: the start of the token request, or the
    ///     read from the store.
    ///   - early: The part of the window's jitter that this token uses, from 0 to 1.
    package init(_ lifetime: TokenLifetime, at reading: ClockReading, window: RefreshWindow, early: Double) {
        let lifetime = lifetime.restated(at: reading)
        guard let expiresAt = lifetime.expiresAt else {
            (freshUntil, expiredFrom, end) = (Self.never, Self.never, nil)
            return
        }
        let total = lifetime.span.map { max(0, $0) }
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
