// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// A wait for blocking work that ends at a deadline, and at once if the caller's task is cancelled.
struct BoundedCall: Sendable {
    /// Returns the deadline, raised to at least a millisecond and lowered to at most a day.
    static func bounded(_ deadline: Duration) -> Duration {
        min(max(deadline, .milliseconds(1)), .seconds(86_400))
    }

    /// Starts work and waits for its result.
    ///
    /// - Parameters:
    ///   - promise: The promise of the work's result.
    ///   - deadline: The longest time to wait.
    ///   - onAbandon: The closure that ends work which may still run after the caller has left.
    ///   - start: The closure that starts the work. Called once; it must return at once.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func wait<Value: Sendable>(
        for promise: Promise<Value>,
        atMost deadline: Duration,
        onAbandon: @escaping @Sendable () -> Void = {},
        _ start: () -> Void
    ) async throws -> Value {
        let abandon: @Sendable (any Error) -> Void = { error in
            promise.finish(.failure(error))
            onAbandon()
        }
        let timer = Task {
            // Cancelled once the caller has left.
            guard (try? await Task.sleep(for: deadline.bounded, clock: .suspending)) != nil else { return }
            abandon(SecureStoreError(.timedOut))
        }
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            start()
            return try await promise.value()
        } onCancel: {
            abandon(CancellationError())
        }
    }
}

extension Promise {
    /// Runs work and finishes the promise with its result; does nothing if the caller has left.
    func finish(_ work: () throws -> Value) {
        guard !isFinished else { return }
        finish(Result(catching: work))
    }
}
