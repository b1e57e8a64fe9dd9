// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A recorder that passes a call's outcome around the interceptors, which see only its response.
final class OutcomeRecorder<Value: Sendable>: Sendable {
    private struct State {
        var outcome = FinalOutcome()
        var attempts: [APIError.Attempt] = []
        var value: Value?
    }

    private let state = Mutex(State())

    var outcome: FinalOutcome { state.withLock { $0.outcome } }
    var attempts: [APIError.Attempt] { state.withLock { $0.attempts } }
    /// The value that a download's reader returned; nil if it was not called.
    var value: Value? { state.withLock { $0.value } }

    func record(_ outcome: FinalOutcome, attempts: [APIError.Attempt], value: Value? = nil) {
        state.withLock { $0 = State(outcome: outcome, attempts: attempts, value: value) }
    }
}
