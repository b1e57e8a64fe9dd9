import AuthCore
import Synchronization

/// A timer that calls a function unless it is restarted or stopped in time.
///
/// It does not run while the machine sleeps, so that a response that came during the sleep is still received on waking.
final class Watchdog: Sendable {
    /// The one timer for the requests of all transports.
    private static let deadlines = Deadlines()

    private let bite: @Sendable () -> Void
    private let state: Mutex<(patience: Duration, number: UInt64?)>

    /// Starts the timer.
    ///
    /// - Parameters:
    ///   - patience: The time limit.
    ///   - bite: The function to call when the time is over.
    init(patience: Duration, _ bite: @escaping @Sendable () -> Void) {
        state = Mutex((patience.bounded, nil))
        self.bite = bite
        wake()
    }

    /// Restarts the timer.
    func wake() {
        let next = Self.deadlines.add(after: state.withLock { $0.patience }, bite)
        replace(with: next)
    }

    /// Stops the timer until ``wake()`` restarts it.
    ///
    /// - Parameter patience: The time limit from then on; nil to keep the last one.
    func rest(thenWaiting patience: Duration? = nil) {
        if let patience { state.withLock { $0.patience = patience.bounded } }
        replace(with: nil)
    }

    private func replace(with next: UInt64?) {
        let last = state.withLock { state in
            defer { state.number = next }
            return state.number
        }
        if let last { Self.deadlines.remove(last) }
    }
}
