import Synchronization

/// Tells when something did not happen in time, which stands still while the machine sleeps.
///
/// So an answer that came in the meantime is still heard on waking.
final class Watchdog: Sendable {
    /// At most a century: a longer span in nanoseconds is beyond what clocks take, and a crash.
    private let patience: Duration
    private let due = Mutex<SuspendingClock.Instant?>(nil)

    /// Begins to wait.
    init(patience: Duration) {
        self.patience = min(max(.zero, patience), .seconds(3_155_760_000))
        wake()
    }

    /// Begins to wait anew.
    func wake() {
        let instant = SuspendingClock.now.advanced(by: patience)
        due.withLock { $0 = instant }
    }

    /// Waits for nothing until it is woken.
    func rest() { due.withLock { $0 = nil } }

    /// Returns when the time is up.
    ///
    /// Woken later, it is due a whole span from then: so a span of sleep while it rests is never too long.
    ///
    /// - Throws: `CancellationError`.
    func expire() async throws {
        while true {
            let now = SuspendingClock.now
            let instant = due.withLock { $0 }
            if let instant, instant <= now { return }
            // A tolerance of nil is the clock's own, which is small.
            try await Task.sleep(until: instant ?? now.advanced(by: patience), clock: .suspending)
        }
    }
}
