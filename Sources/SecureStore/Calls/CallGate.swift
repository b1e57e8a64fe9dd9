internal import Synchronization

/// The one answer of a call: its result, its deadline or its caller's cancellation, whichever is first.
final class CallGate<Value: Sendable>: Sendable {
    private struct State {
        var answer: Result<Value, any Error>?
        var waiter: CheckedContinuation<Value, any Error>?
    }

    private let state = Mutex(State())
    private let whenAbandoned: @Sendable () -> Void

    /// Makes an open gate.
    ///
    /// - Parameter whenAbandoned: Ends the work that may be running for a caller who has left.
    init(whenAbandoned: @escaping @Sendable () -> Void = {}) {
        self.whenAbandoned = whenAbandoned
    }

    /// Whether the caller has its answer already, so that work for it is work for nobody.
    var isClosed: Bool { state.withLock { $0.answer != nil } }

    /// Lets the caller wait, or go at once where the answer came before it.
    func wait(with continuation: CheckedContinuation<Value, any Error>) {
        let answer = state.withLock { state in
            if state.answer == nil { state.waiter = continuation }
            return state.answer
        }
        if let answer { continuation.resume(with: answer) }
    }

    /// Gives the answer.
    ///
    /// Every answer after the first is dropped.
    func answer(_ answer: Result<Value, any Error>) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.answer == nil else { return nil }
            state.answer = answer
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: answer)
    }

    /// Does work and answers with its result; nothing where the caller has left meanwhile.
    func answer(_ work: () throws -> Value) {
        guard !isClosed else { return }
        answer(Result(catching: work))
    }

    /// Lets the caller go with an error, and ends the call that may be running for it.
    func abandon(_ error: any Error) {
        answer(.failure(error))
        whenAbandoned()
    }
}
