// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

/// A timer that calls a function unless it is restarted or stopped in time.
///
/// It does not run while the machine sleeps, so that a response that came during the sleep is still received on waking.
final class IdleTimer: Sendable {
    /// The one scheduler for the requests of all transports.
    private static let scheduler = DeadlineScheduler()

    private let fire: @Sendable () -> Void
    private let state: Mutex<(timeout: Duration, number: UInt64?)>

    /// Starts the timer.
    ///
    /// - Parameters:
    ///   - timeout: The time limit.
    ///   - fire: The function to call when the time is over.
    init(timeout: Duration, _ fire: @escaping @Sendable () -> Void) {
        state = Mutex((timeout.bounded, nil))
        self.fire = fire
        restart()
    }

    /// Restarts the timer.
    func restart() {
        let next = Self.scheduler.add(after: state.withLock { $0.timeout }, fire)
        replace(with: next)
    }

    /// Stops the timer until ``resume()`` restarts it.
    ///
    /// - Parameter timeout: The time limit from then on; nil to keep the last one.
    func suspend(thenWaiting timeout: Duration? = nil) {
        if let timeout { state.withLock { $0.timeout = timeout.bounded } }
        replace(with: nil)
    }

    private func replace(with next: UInt64?) {
        let last = state.withLock { state in
            defer { state.number = next }
            return state.number
        }
        if let last { Self.scheduler.remove(last) }
    }
}
