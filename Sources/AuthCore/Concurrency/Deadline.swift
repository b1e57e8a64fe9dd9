// SPDX-License-Identifier: Apache-2.0

/// The end of the time for a whole call, or for one response.
package struct Deadline: Sendable {
    private let clock: MonotonicClock
    private let end: Duration

    /// Creates a deadline.
    ///
    /// - Parameters:
    ///   - duration: The time until the end; limited to at most a century.
    ///   - clock: The clock that measures it.
    package init(in duration: Duration, on clock: MonotonicClock) {
        self.clock = clock
        end = clock.now + duration.bounded
    }

    /// The time that is left; zero or negative if the end has passed.
    package var remaining: Duration { end - clock.now }

    /// Runs an operation until the end, at which it is cancelled.
    ///
    /// At the end, or if the caller is cancelled, the method throws without waiting for the operation. An operation
    /// that ignores cancellation continues, and its result is discarded.
    ///
    /// - Parameters:
    ///   - fault: The error to throw at the end.
    ///   - operation: The operation, run in its own task.
    /// - Returns: The operation's result.
    /// - Throws: The given error at the end; the operation's error; `CancellationError`.
    package func limit<Value: Sendable>(
        throwing fault: any Error,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let outcome = Promise<Value>()
        let working = Task {
            do {
                outcome.finish(.success(try await operation()))
            } catch {
                outcome.finish(.failure(error))
            }
        }
        let waiting = Task {
            // Cancelled once the operation has ended: then no caller waits.
            guard (try? await clock.sleep(until: end)) != nil else { return }
            outcome.finish(.failure(fault))
        }
        defer {
            working.cancel()
            waiting.cancel()
        }
        return try await outcome.value()
    }
}
