#if Keyring && canImport(CSecretService)
/// Makes calls to a keyring: on a thread of its own, one after the other, and each within a deadline.
struct KeyringCalls: Sendable {
    private let worker: KeyringWorker
    private let deadline: Duration
    private let waiting = BoundedCall()

    /// Describes a keyring; it is connected to at the first call.
    ///
    /// - Parameters:
    ///   - surroundings: Where it is.
    ///   - deadline: How long a call may take, brought to a millisecond at least and a day at most.
    init(_ surroundings: KeyringSurroundings, deadline: Duration) {
        worker = KeyringWorker(surroundings)
        self.deadline = BoundedCall.bounded(deadline)
    }

    /// Makes calls, and lets the caller go at the deadline or when its task is cancelled.
    ///
    /// - Parameter work: Is given the service, and the deadline for each of its steps.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws; ``SecureStoreError``; `CancellationError`.
    func make<Value: Sendable>(
        _ work: @escaping @Sendable (SecretService, CallDeadline) throws -> Value
    ) async throws -> Value {
        try await wait { worker, gate, end in
            await worker.perform(for: gate, before: end) { try work($0, end) }
        }
    }

    /// The program that is the keyring; nil where the system does not say.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func program() async throws -> KeyringProgram? {
        try await wait { await $0.findProgram(for: $1, before: $2) }
    }

    private func wait<Value: Sendable>(
        for work: @escaping @Sendable (KeyringWorker, CallGate<Value>, CallDeadline) async -> Void
    ) async throws -> Value {
        let end = CallDeadline(in: deadline)
        let gate = CallGate<Value> { end.cancellation.cancel() }
        return try await waiting.wait(for: gate, atMost: deadline) {
            Task.detached { [worker] in await work(worker, gate, end) }
        }
    }
}
#endif
