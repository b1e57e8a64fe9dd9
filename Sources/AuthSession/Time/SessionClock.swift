// SPDX-License-Identifier: Apache-2.0

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

    /// Creates a value from two clocks.
    ///
    /// - Parameters:
    ///   - date: The wall clock.
    ///   - clock: The monotonic clock.
    ///   - suspendingClock: The clock for the time limits of requests.
    public init(
        date: @escaping @Sendable () -> Date,
        monotonic clock: any Clock<Duration>,
        suspendingClock: any Clock<Duration> = SuspendingClock()
    ) {
        self = Self.opened(date, clock, suspendingClock)
    }

    private init(
        date: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        suspendingClock: any Clock<Duration>
    ) {
        self.suspendingClock = suspendingClock
        self.date = date
        self.uptime = uptime
        self.sleep = sleep
    }

    private static func opened<C: Clock<Duration>>(
        _ date: @escaping @Sendable () -> Date,
        _ clock: C,
        _ suspendingClock: any Clock<Duration>
    ) -> SessionClock {
        // `uptime` is called for every request, so the usual clock avoids the witness table.
        if let clock = clock as? ContinuousClock {
            let origin = clock.now
            return SessionClock(
                date: date,
                uptime: { origin.duration(to: ContinuousClock.now) },
                sleep: { try await Task.sleep(for: $0, clock: .continuous) },
                suspendingClock: suspendingClock
            )
        }
        let origin = clock.now
        return SessionClock(
            date: date,
            uptime: { origin.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) },
            suspendingClock: suspendingClock
        )
    }

    /// Returns the current time by both clocks.
    public func reading() -> ClockReading {
        // In this order, a pause between the two makes a token look older, never younger.
        let uptime = uptime()
        return ClockReading(date: date(), uptime: uptime)
    }
}

/// A reading of both clocks.
public struct ClockReading: Sendable {
    /// The time by the wall clock.
    public let date: Date
    /// The time by the monotonic clock.
    public let uptime: Duration

    /// Creates a reading.
    ///
    /// - Parameters:
    ///   - date: The time by the wall clock.
    ///   - uptime: The time by the monotonic clock.
    public init(date: Date, uptime: Duration) {
        self.date = date
        self.uptime = uptime
    }

    /// Returns the wall-clock time at a monotonic time, as if the wall clock had not been set since this reading.
    func date(at uptime: Duration) -> Date { date + (uptime - self.uptime) / .seconds(1) }

    /// Returns the monotonic time of a past wall-clock time.
    ///
    /// A time in the future, after the wall clock was set back, counts as equally far in the past.
    public func uptime(of past: Date) -> Duration {
        uptime - .seconds(abs(date.timeIntervalSince(past)))
    }
}
