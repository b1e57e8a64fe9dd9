#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The two clocks that a token's end is told by.
///
/// The monotonic one counts while this process lives, whatever somebody does to the wall clock; the wall clock is for
/// what was written down by another process or before the last launch.
package struct SessionClock: Sendable {
    /// The wall clock.
    let date: @Sendable () -> Date
    /// The monotonic clock: how long ago this value was made.
    let uptime: @Sendable () -> Duration
    /// Sleeps by the monotonic clock.
    let sleep: @Sendable (Duration) async throws -> Void
    /// What the time limits of requests go by: it stands still while the machine sleeps.
    ///
    /// An answer that came in the meantime is then still heard on waking, and not given up for its age.
    let awake: any Clock<Duration>

    /// Joins two clocks.
    ///
    /// - Parameters:
    ///   - date: The wall clock.
    ///   - clock: The monotonic clock.
    ///   - awake: What the time limits of requests go by.
    package init(
        date: @escaping @Sendable () -> Date,
        monotonic clock: any Clock<Duration>,
        awake: any Clock<Duration> = SuspendingClock()
    ) {
        self = Self.opened(date, clock, awake)
    }

    private init(
        date: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        awake: any Clock<Duration>
    ) {
        self.awake = awake
        self.date = date
        self.uptime = uptime
        self.sleep = sleep
    }

    private static func opened<C: Clock<Duration>>(
        _ date: @escaping @Sendable () -> Date,
        _ clock: C,
        _ awake: any Clock<Duration>
    ) -> SessionClock {
        // Asked for every request: the usual clock goes without the witness table.
        if let clock = clock as? ContinuousClock {
            let origin = clock.now
            return SessionClock(
                date: date,
                uptime: { origin.duration(to: ContinuousClock.now) },
                sleep: { try await Task.sleep(for: $0, clock: .continuous) },
                awake: awake
            )
        }
        let origin = clock.now
        return SessionClock(
            date: date,
            uptime: { origin.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) },
            awake: awake
        )
    }

    /// Now, by both clocks.
    func moment() -> Moment {
        // In this order, a pause in between makes a token look older, never younger.
        let uptime = uptime()
        return Moment(date: date(), uptime: uptime)
    }
}

/// One moment by both clocks.
struct Moment: Sendable {
    let date: Date
    let uptime: Duration

    /// What the wall clock says at a moment of the monotonic one, if nobody sets it.
    func date(at uptime: Duration) -> Date { date + (uptime - self.uptime) / .seconds(1) }

    /// When a moment of the wall clock was, by the monotonic one.
    ///
    /// One that seems to lie ahead, because the wall clock was set back, counts as long ago as it lies ahead.
    func uptime(of past: Date) -> Duration {
        uptime - .seconds(abs(date.timeIntervalSince(past)))
    }
}
