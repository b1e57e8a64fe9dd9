// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Dispatch

/// A thread for blocking calls, which it makes one after the other, so that they occupy no cooperative thread.
///
/// `@unchecked Sendable`: only work touches `state`, and the queue runs one work at a time.
final class BlockingWorker<State>: @unchecked Sendable {
    private let queue: DispatchQueue
    private var state: State

    init(label: String, _ state: sending State) {
        queue = DispatchQueue(label: label)
        self.state = state
    }

    /// Runs work and waits for its result, until the time limit or until the caller's task is cancelled.
    ///
    /// Work of a caller that has left does not begin. Work may wait for a lock for three quarters of the time: the caller
    /// then learns that another process holds it (`busy`: nothing was changed), instead of a mere timeout.
    ///
    /// - Parameters:
    ///   - timeout: The time limit. Its clock stops while the machine sleeps: closing the lid causes no timeout.
    ///   - onAbandon: Called after an error: if the caller has left, ends work that still runs.
    ///   - work: The work, on the state that all work shares, with a function that tells whether it may wait longer for a
    ///     lock, and throws `timedOut` if the caller has left.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func run<Value: Sendable>(
        atMost timeout: Duration,
        onAbandon: () -> Void = {},
        _ work: @escaping @Sendable (inout State, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let promise = Promise<Value>()
        let (end, lockEnd) = (Deadline(in: timeout), Deadline(in: timeout.bounded * 0.75))
        queue.async {
            guard !promise.isFinished else { return }
            promise.finish(
                Result {
                    try work(&self.state) {
                        if promise.isFinished { throw SecureStoreError(.timedOut) }
                        return lockEnd.remaining > .zero
                    }
                }
            )
        }
        do {
            return try await end.value(of: promise, orThrow: SecureStoreError(.timedOut))
        } catch {
            promise.finish(.failure(error))
            onAbandon()
            throw error
        }
    }
}
