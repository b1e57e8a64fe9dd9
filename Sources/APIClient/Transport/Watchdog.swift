import AuthCore
import Synchronization

/// Calls back when something did not happen in time, which stands still while the machine sleeps.
///
/// So an answer that came in the meantime is still heard on waking.
final class Watchdog: Sendable {
    /// One timer for the requests of all transports.
    private static let deadlines = Deadlines()

    private let bite: @Sendable () -> Void
    private let state: Mutex<(patience: Duration, number: UInt64?)>

    /// Begins to wait.
    ///
    /// - Parameters:
    ///   - patience: How long.
    ///   - bite: Called once that is over.
    init(patience: Duration, _ bite: @escaping @Sendable () -> Void) {
        state = Mutex((patience.bounded, nil))
        self.bite = bite
        wake()
    }

    /// Begins to wait anew.
    func wake() {
        let next = Self.deadlines.add(after: state.withLock { $0.patience }, bite)
        replace(with: next)
    }

    /// Waits for nothing until it is woken.
    ///
    /// - Parameter patience: How long it waits from then on; nil for as long as before.
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
