import Synchronization

/// What a call tells past the interceptors, which see its answer alone.
final class CallRecord<Value: Sendable>: Sendable {
    private struct State {
        var ending = Ending()
        var attempts: [Attempt] = []
        var value: Value?
    }

    private let state = Mutex(State())

    var ending: Ending { state.withLock { $0.ending } }
    var attempts: [Attempt] { state.withLock { $0.attempts } }
    /// What a download's reader returned, where it was called.
    var value: Value? { state.withLock { $0.value } }

    func write(_ ending: Ending, attempts: [Attempt], value: Value? = nil) {
        state.withLock { $0 = State(ending: ending, attempts: attempts, value: value) }
    }
}
