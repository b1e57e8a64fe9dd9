#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The two clocks that a token's end is told by.
///
/// The monotonic one counts while this process lives, whatever somebody does to the wall clock; the wall clock is for
/// what was written down by another process or before the last launch.
struct SessionClock: Sendable {
    /// The wall clock.
    let date: @Sendable () -> Date
    /// The monotonic clock: how long ago this value was made.
    let uptime: @Sendable () -> Duration
    /// Sleeps by the monotonic clock.
    let sleep: @Sendable (Duration) async throws -> Void

    init(date: @escaping @Sendable () -> Date, monotonic clock: any Clock<Duration>) {
        self = Self.opened(date, clock)
    }

    private init(
        date: @escaping @Sendable () -> Date,
        uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.date = date
        self.uptime = uptime
        self.sleep = sleep
    }

    private static func opened<C: Clock<Duration>>(_ date: @escaping @Sendable () -> Date, _ clock: C) -> SessionClock {
        // Asked for every request: the usual clock goes without the witness table.
        if let clock = clock as? ContinuousClock {
            let origin = clock.now
            return SessionClock(
                date: date,
                uptime: { origin.duration(to: ContinuousClock.now) },
                sleep: { try await Task.sleep(for: $0, clock: .continuous) }
            )
        }
        let origin = clock.now
        return SessionClock(
            date: date,
            uptime: { origin.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: clock.now.advanced(by: $0), tolerance: nil) }
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

    /// When a moment of the wall clock was, by the monotonic one.
    ///
    /// One that seems to lie ahead, because the wall clock was set back, counts as long ago as it lies ahead.
    func uptime(of past: Date) -> Duration {
        uptime - .seconds(abs(date.timeIntervalSince(past)))
    }
}
