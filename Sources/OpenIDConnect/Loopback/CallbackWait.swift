#if LoopbackRedirect
import Synchronization

/// Where one task waits for one value that comes from elsewhere: the first that comes counts.
final class CallbackWait<Value: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Value, any Error>?
        var outcome: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    /// The value, also one that came before this was called.
    ///
    /// Ends at once when the task is cancelled. For one caller, once.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.waiter = continuation }
                    return state.outcome
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Gives who waits its outcome; nothing where there is one.
    func finish(_ outcome: Result<Value, any Error>) {
        let waiter = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: outcome)
    }
}
#endif
