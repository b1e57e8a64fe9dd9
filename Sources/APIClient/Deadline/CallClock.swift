/// A clock of any kind, opened once: what times a call would else open it anew for each one.
final class CallClock: Sendable {
    /// Stands still while the machine sleeps.
    static let suspending = CallClock(SuspendingClock())

    private let uptime: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Opens a clock.
    ///
    /// - Parameter clock: What measures.
    convenience init(_ clock: any Clock<Duration>) {
        self.init(opened: clock)
    }

    private init<C: Clock<Duration>>(opened clock: C) {
        let origin = clock.now
        uptime = { origin.duration(to: clock.now) }
        wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// How long ago the clock was opened.
    var now: Duration { uptime() }

    /// Sleeps.
    ///
    /// - Parameter end: A moment, as ``now`` tells it.
    /// - Throws: `CancellationError`.
    func sleep(until end: Duration) async throws { try await wait(end) }
}
