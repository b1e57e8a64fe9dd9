/// Ends what is not done in time.
struct AnswerDeadline: Sendable {
    /// How far it is away.
    let duration: Duration
    private let instant: ContinuousClock.Instant

    /// At most a century away: a longer span in nanoseconds is beyond what clocks and clients take, and a crash.
    init(in duration: Duration) {
        self.duration = min(max(.zero, duration), .seconds(3_155_760_000))
        instant = .now.advanced(by: self.duration)
    }

    /// Runs an operation until the deadline, at which it is cancelled.
    ///
    /// - Parameter operation: What ends when its task is cancelled.
    /// - Returns: What the operation returns.
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
