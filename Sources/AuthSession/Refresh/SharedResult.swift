import Synchronization

/// One result for everyone who waits for it.
///
/// A waiter that is cancelled leaves at once; the work goes on.
final class SharedResult<Value: Sendable>: Sendable {
    private struct Waiting {
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var next = 0
        var result: Result<Value, any Error>?
    }

    private let waiting = Mutex(Waiting())

    /// The result, once it is there.
    ///
    /// - Throws: What the work ended with; `CancellationError` where the caller's task is cancelled first.
    func value() async throws -> Value {
        let id = waiting.withLock { waiting in
            defer { waiting.next += 1 }
            return waiting.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = waiting.withLock { waiting in
                    if let result = waiting.result { return result }
                    // Cancelled before it got here: the handler below has run and will not run again.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    waiting.waiters[id] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let waiter = waiting.withLock { $0.waiters.removeValue(forKey: id) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Whether a caller waits now.
    var isAwaited: Bool { waiting.withLock { !$0.waiters.isEmpty } }

    /// Gives the result to all who wait and will wait.
    ///
    /// Only the first counts.
    func finish(_ result: Result<Value, any Error>) {
        let waiters = waiting.withLock { waiting in
            if waiting.result == nil { waiting.result = result }
            defer { waiting.waiters = [:] }
            return waiting.waiters.sorted { $0.key < $1.key }.map(\.value)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
