// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One background task of the system, which is ended exactly once.
///
/// The system ends an app whose task is still open after its expiration handler. The handler runs on another thread
/// than the work, perhaps before the task's identifier is known.
final class BackgroundTask<Identifier: Sendable>: Sendable {
    private enum State {
        case beginning
        case open(Identifier)
        case ended
    }

    private let state = Mutex(State.beginning)
    private let end: @Sendable (Identifier) -> Void

    /// Creates a task that has no identifier yet.
    ///
    /// - Parameter end: The system's function that ends a task.
    init(end: @escaping @Sendable (Identifier) -> Void) {
        self.end = end
    }

    /// Notes the identifier of the task, and ends it if it has expired already.
    func begin(as identifier: Identifier) {
        let hasEnded = state.withLock { state in
            if case .ended = state { return true }
            state = .open(identifier)
            return false
        }
        if hasEnded { end(identifier) }
    }

    /// Ends the task if it is open: at the end of the work, or in the expiration handler.
    func finish() {
        let identifier: Identifier? = state.withLock { state in
            defer { state = .ended }
            if case .open(let identifier) = state { return identifier }
            return nil
        }
        if let identifier { end(identifier) }
    }
}
