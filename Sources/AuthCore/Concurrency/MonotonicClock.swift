// SPDX-License-Identifier: Apache-2.0

/// A monotonic clock of any kind, opened once and read many times.
package final class MonotonicClock: Sendable {
    /// The clock that stops while the machine sleeps.
    package static let suspending = MonotonicClock(SuspendingClock())

    private let uptime: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Opens a clock.
    ///
    /// - Parameter clock: The clock to read.
    package convenience init(_ clock: any Clock<Duration>) {
        self.init(opened: clock)
    }

    private init<C: Clock<Duration>>(opened clock: C) {
        let origin = clock.now
        uptime = { origin.duration(to: clock.now) }
        wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The time since the clock was opened.
    package var now: Duration { uptime() }

    /// Sleeps until a moment.
    ///
    /// - Parameter end: The moment, in terms of ``now``.
    /// - Throws: `CancellationError`.
    package func sleep(until end: Duration) async throws { try await wait(end) }
}
