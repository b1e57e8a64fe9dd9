import AuthCore

/// Lets the caller of blocking work go at a deadline, and at once when its task is cancelled.
struct BoundedCall: Sendable {
    private let deadlines = Deadlines()

    /// A deadline that a caller chose, brought to a millisecond at least and a day at most.
    static func bounded(_ deadline: Duration) -> Duration {
        min(max(deadline, .milliseconds(1)), .seconds(86_400))
    }

    /// Starts work and waits for its answer.
    ///
    /// - Parameters:
    ///   - gate: Takes the answer.
    ///   - deadline: After which the caller gets `timedOut`.
    ///   - start: Starts the work, which answers the gate. Called once, and returns at once.
    /// - Returns: The answer.
    /// - Throws: What the work threw; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func wait<Value: Sendable>(
        for gate: CallGate<Value>,
        atMost deadline: Duration,
        _ start: () -> Void
    ) async throws -> Value {
        let number = deadlines.add(after: deadline) { gate.abandon(SecureStoreError(.timedOut)) }
        defer { deadlines.remove(number) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                gate.wait(with: continuation)
                start()
            }
        } onCancel: {
            gate.abandon(CancellationError())
        }
    }
}
