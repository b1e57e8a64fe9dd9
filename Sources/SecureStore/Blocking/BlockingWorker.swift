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
    ///   - timeout: The time limit, from now on.
    ///   - onAbandon: Called if the caller leaves, to end work that still runs.
    ///   - work: The work, on the state that all work shares, with a function that tells whether it may wait longer for a
    ///     lock, and throws `timedOut` if the caller has left.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func run<Value: Sendable>(
        atMost timeout: Duration,
        onAbandon: @escaping @Sendable () -> Void = {},
        _ work: @escaping @Sendable (inout State, _ mayWait: () throws -> Bool) throws -> Value
    ) async throws -> Value {
        let promise = Promise<Value>()
        let lockEnd = SuspendingClock().now + timeout * 0.75
        return try await promise.value(atMost: timeout, onAbandon: onAbandon) {
            queue.async {
                guard !promise.isFinished else { return }
                promise.finish(
                    Result {
                        try work(&self.state) {
                            if promise.isFinished { throw SecureStoreError(.timedOut) }
                            return SuspendingClock().now < lockEnd
                        }
                    }
                )
            }
        }
    }
}

/// The queue on which the time of every wait ends.
private let timers = DispatchQueue(label: "sallyport.timers")

extension Promise {
    /// Starts work, and waits for its result until the time limit or until the caller's task is cancelled.
    ///
    /// The clock stops while the machine sleeps: closing the lid causes no timeout.
    ///
    /// - Parameters:
    ///   - timeout: The time limit, at least a millisecond and at most a day.
    ///   - onAbandon: Called if the caller leaves.
    ///   - start: Starts the work, and returns at once.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func value(
        atMost timeout: Duration,
        onAbandon: @escaping @Sendable () -> Void = {},
        starting start: () -> Void
    ) async throws -> Value {
        let abandon: @Sendable (any Error) -> Void = { error in
            self.finish(.failure(error))
            onAbandon()
        }
        let timer = DispatchSource.makeTimerSource(queue: timers)
        let seconds = min(max(timeout, .milliseconds(1)), .seconds(86_400)) / .seconds(1)
        timer.schedule(deadline: .now() + seconds)
        timer.setEventHandler { abandon(SecureStoreError(.timedOut)) }
        timer.activate()
        defer { timer.cancel() }
        return try await withTaskCancellationHandler {
            start()
            return try await value()
        } onCancel: {
            abandon(CancellationError())
        }
    }
}
