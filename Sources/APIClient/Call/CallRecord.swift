import Synchronization

/// A record that passes a call's outcome around the interceptors, which see only its response.
final class CallRecord<Value: Sendable>: Sendable {
    private struct State {
        var ending = Ending()
        var attempts: [Attempt] = []
        var value: Value?
    }

    private let state = Mutex(State())

    var ending: Ending { state.withLock { $0.ending } }
    var attempts: [Attempt] { state.withLock { $0.attempts } }
    /// The value that a download's reader returned; nil if it was not called.
    var value: Value? { state.withLock { $0.value } }

    func write(_ ending: Ending, attempts: [Attempt], value: Value? = nil) {
        state.withLock { $0 = State(ending: ending, attempts: attempts, value: value) }
    }
}
