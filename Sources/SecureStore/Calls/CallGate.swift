internal import AuthCore

/// The single outcome of a call: its result, its deadline or its caller's cancellation, whichever comes first.
final class CallGate<Value: Sendable>: Sendable {
    private let result = SharedResult<Value>()
    private let whenAbandoned: @Sendable () -> Void

    /// Creates an open gate.
    ///
    /// - Parameter whenAbandoned: The closure that ends work which may still run after the caller has left.
    init(whenAbandoned: @escaping @Sendable () -> Void = {}) {
        self.whenAbandoned = whenAbandoned
    }

    /// Whether the call has its outcome, so that further work for it is useless.
    var isClosed: Bool { result.isFinished }

    /// Waits for the outcome.
    func value() async throws -> Value { try await result.value() }

    /// Sets the outcome.
    ///
    /// Only the first call has an effect.
    func answer(_ answer: Result<Value, any Error>) { result.finish(answer) }

    /// Runs work and sets the outcome to its result; does nothing if the caller has left.
    func answer(_ work: () throws -> Value) {
        guard !isClosed else { return }
        answer(Result(catching: work))
    }

    /// Ends the caller's wait with an error, and ends the work that may still run for it.
    func abandon(_ error: any Error) {
        answer(.failure(error))
        whenAbandoned()
    }
}
