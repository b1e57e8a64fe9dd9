import AuthCore
import Synchronization

/// Calls back when something did not happen in time, which stands still while the machine sleeps.
///
/// So an answer that came in the meantime is still heard on waking.
final class Watchdog: Sendable {
    /// One timer for the requests of all transports.
    private static let deadlines = Deadlines()

    /// At most a century: a longer span in nanoseconds is beyond what clocks take, and a crash.
    private let patience: Duration
    private let bite: @Sendable () -> Void
    private let number = Mutex<UInt64?>(nil)

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - patience: How long.
    ///   - bite: Called once that is over.
    init(patience: Duration, _ bite: @escaping @Sendable () -> Void) {
        self.patience = min(max(.zero, patience), .seconds(3_155_760_000))
        self.bite = bite
        wake()
    }

    /// Begins to wait anew.
    func wake() {
        let next = Self.deadlines.add(after: patience, bite)
        replace(with: next)
    }

    /// Waits for nothing until it is woken.
    func rest() { replace(with: nil) }

    private func replace(with next: UInt64?) {
        let last = number.withLock { number in
            defer { number = next }
            return number
        }
        if let last { Self.deadlines.remove(last) }
    }
}
