// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The measurement of one refresh, from the first request for it to the result.
///
/// A refresh that is called off while it waits for the lock ends as `abandoned`.
final class RefreshMeasurement: Sendable {
    private struct State {
        var outcome: MeasuredOutcome?
        var joined = 0
        var isReplayed = false
        var waitBegan: Duration?
    }

    private let whole: OperationMeasurement
    private let state = Mutex(State())

    init(_ whole: OperationMeasurement) {
        self.whole = whole
    }

    /// Counts another request for the refresh in progress.
    func join() {
        state.withLock { $0.joined += 1 }
        whole.meter?.count(.refreshJoined)
    }

    /// Notes that the wait for the lock between processes begins.
    func beginWait() {
        let now = whole.uptime()
        state.withLock { $0.waitBegan = now }
    }

    /// Records the wait for the lock, unless it has ended before.
    ///
    /// - Parameter outcome: `acquired`, `busy` or `unavailable`.
    func endWait(_ outcome: MeasuredOutcome) {
        let waitBegan = state.withLock { state in
            defer { state.waitBegan = nil }
            return state.waitBegan
        }
        if let waitBegan { whole.meter?.record(whole.uptime() - waitBegan, of: .lockWait(outcome)) }
    }

    /// Runs a request of the refresh, so that a span of the request is within the refresh's.
    func run<Value: Sendable>(_ request: @Sendable () async throws -> Value) async rethrows -> Value {
        try await whole.run(request)
    }

    /// Notes the outcome of a refresh that was sent.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - isReplayed: Whether it was sent more than once, here or by an earlier attempt.
    func note(_ outcome: RefreshOutcome, isReplayed: Bool) {
        let name = MeasuredOutcome(outcome)
        state.withLock { ($0.outcome, $0.isReplayed) = (name, isReplayed) }
        if isReplayed { whole.meter?.count(.refreshReplayed) }
    }

    /// Ends the measurement with the result for the callers.
    func end<Value>(_ result: Result<Value, any Error>) {
        let (sent, joined, isReplayed) = state.withLock { ($0.outcome, $0.joined, $0.isReplayed) }
        var error: MeasuredOutcome?
        if case .failure(let failure) = result { error = MeasuredOutcome(failure) }
        let unsent: MeasuredOutcome = error == nil ? .adopted : .failed
        whole.end(MeasuredResult(outcome: sent ?? unsent, error: error, joined: joined, isReplayed: isReplayed))
    }
}
