// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One result for all callers that wait for it.
///
/// A cancelled waiter returns at once. The work continues.
package final class Promise<Value: Sendable>: Sendable {
    private struct Waiting {
        var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
        var next = 0
        var result: Result<Value, any Error>?
    }

    private let waiting = Mutex(Waiting())

    /// Creates a pending result.
    package init() {}

    /// Waits for the result.
    ///
    /// - Returns: The result.
    /// - Throws: The error of the work; `CancellationError` if the caller's task is cancelled first.
    package func value() async throws -> Value {
        let id = waiting.withLock { waiting in
            defer { waiting.next += 1 }
            return waiting.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Value, any Error>? = waiting.withLock { waiting in
                    if let result = waiting.result { return result }
                    // Cancelled before this point: the handler below has run and will not run again.
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

    /// Whether the result is available.
    package var isFinished: Bool { waiting.withLock { $0.result != nil } }

    /// Whether a caller is waiting.
    package var isAwaited: Bool { waiting.withLock { !$0.waiters.isEmpty } }

    /// Delivers the result to all current and future waiters.
    ///
    /// Only the first call has an effect.
    ///
    /// - Parameter result: The result.
    package func finish(_ result: Result<Value, any Error>) {
        let waiters = waiting.withLock { waiting in
            if waiting.result == nil { waiting.result = result }
            defer { waiting.waiters = [:] }
            return waiting.waiters
        }
        for id in waiters.keys.sorted() { waiters[id]?.resume(with: result) }
    }
}
