/// Ends what is not done in time.
struct AnswerDeadline: Sendable {
    private let instant: ContinuousClock.Instant

    init(in duration: Duration) {
        instant = .now.advanced(by: duration)
    }

    /// Runs an operation until the deadline, at which it is cancelled.
    ///
    /// - Parameter operation: What ends when its task is cancelled.
    /// - Throws: ``TransportError`` (`timedOut`); what the operation throws; `CancellationError`.
    func limit<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await operation() }
            group.addTask {
                try await Task.sleep(until: instant, clock: .continuous)
                throw TransportError(.timedOut, mayHaveReachedServer: true)
            }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
