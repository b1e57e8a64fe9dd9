import AuthCore

/// A wait for blocking work that ends at a deadline, and at once if the caller's task is cancelled.
struct BoundedCall: Sendable {
    private let deadlines = Deadlines()

    /// Returns the deadline, raised to at least a millisecond and lowered to at most a day.
    static func bounded(_ deadline: Duration) -> Duration {
        min(max(deadline, .milliseconds(1)), .seconds(86_400))
    }

    /// Starts work and waits for its result.
    ///
    /// - Parameters:
    ///   - gate: The gate that receives the result.
    ///   - deadline: The longest time to wait.
    ///   - start: The closure that starts the work. Called once; it must return at once.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work; ``SecureStoreError`` (`timedOut`); `CancellationError`.
    func wait<Value: Sendable>(
        for gate: CallGate<Value>,
        atMost deadline: Duration,
        _ start: () -> Void
    ) async throws -> Value {
        let number = deadlines.add(after: deadline) { gate.abandon(SecureStoreError(.timedOut)) }
        defer { deadlines.remove(number) }
        return try await withTaskCancellationHandler {
            start()
            return try await gate.value()
        } onCancel: {
            gate.abandon(CancellationError())
        }
    }
}
