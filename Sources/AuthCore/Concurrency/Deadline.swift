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
    package init(in duration: Duration, on clock: MonotonicClock = .suspending) {
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
        defer { working.cancel() }
        return try await value(of: outcome, orThrow: fault)
    }

    /// Waits for a promise, which the end finishes with the given error; a cancelled caller leaves it unfinished.
    package func value<Value: Sendable>(of promise: Promise<Value>, orThrow fault: any Error) async throws -> Value {
        let waiting = Task {
            // Cancelled once the promise is finished, or its caller has left.
            guard (try? await clock.sleep(until: end)) != nil else { return }
            promise.finish(.failure(fault))
        }
        defer { waiting.cancel() }
        return try await promise.value()
    }
}

extension Duration {
    /// The duration limited to a wait that is possible: at least zero and at most a century.
    ///
    /// A longer duration in nanoseconds would overflow the clock and crash the process.
    package var bounded: Duration { min(max(.zero, self), .seconds(3_155_760_000)) }
}

/// A monotonic clock of any kind, opened once and read many times.
package final class MonotonicClock: Sendable {
    /// The clock that stops while the machine sleeps.
    package static let suspending = MonotonicClock(SuspendingClock())

    private let uptime: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    /// Opens a clock.
    package convenience init(_ clock: any Clock<Duration>) {
        self.init(opened: clock)
    }

    private init<C: Clock<Duration>>(opened clock: C) {
        let origin = clock.now
        uptime = { origin.duration(to: clock.now) }
        wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// The time since the clock was opened.
    package var now: Duration { uptime() }

    /// Sleeps until a moment, in terms of ``now``; throws `CancellationError`.
    package func sleep(until end: Duration) async throws { try await wait(end) }
}
