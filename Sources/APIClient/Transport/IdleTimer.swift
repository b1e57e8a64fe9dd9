// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Synchronization

/// A timer that calls a function unless it is restarted or stopped in time.
///
/// It does not run while the machine sleeps, so that a response that came during the sleep is still received on waking.
final class IdleTimer: Sendable {
    private let fire: @Sendable () -> Void
    private let state: Mutex<(timeout: Duration, timer: Task<Void, Never>?)>

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
        let (timeout, fire) = (state.withLock { $0.timeout }, fire)
        replace(
            with: Task {
                guard (try? await Task.sleep(for: timeout, clock: .suspending)) != nil else { return }
                fire()
            }
        )
    }

    /// Stops the timer until ``resume()`` restarts it.
    ///
    /// - Parameter timeout: The time limit from then on; nil to keep the last one.
    func suspend(thenWaiting timeout: Duration? = nil) {
        if let timeout { state.withLock { $0.timeout = timeout.bounded } }
        replace(with: nil)
    }

    private func replace(with next: Task<Void, Never>?) {
        let last = state.withLock { state in
            defer { state.timer = next }
            return state.timer
        }
        last?.cancel()
    }
}
