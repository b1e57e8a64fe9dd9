#if Keyring && canImport(CSecretService)
/// Makes calls to a keyring: on a thread of its own, one after the other, and each within a deadline.
///
/// Calls to a keyring that has just left one unanswered have less time: see ``KeyringSilence``.
struct KeyringCalls: Sendable {
    private let worker: KeyringWorker
    private let deadline: Duration
    private let bus: String
    private let silence: KeyringSilence
    private let waiting = BoundedCall()

    /// Describes a keyring; it is connected to at the first call.
    ///
    /// - Parameters:
    ///   - surroundings: Where it is.
    ///   - deadline: How long a call may take, brought to a millisecond at least and a day at most.
    ///   - silence: Which keyrings do not answer at the moment.
    init(_ surroundings: KeyringSurroundings, deadline: Duration, silence: KeyringSilence = .ofProcess) {
        worker = KeyringWorker(surroundings)
        self.deadline = BoundedCall.bounded(deadline)
        bus = surroundings.busAddress ?? ""
        self.silence = silence
    }

    /// Makes calls, and lets the caller go at the deadline or when its task is cancelled.
    ///
    /// - Parameter work: Is given the service, and the deadline for each of its steps.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws; ``SecureStoreError``; `CancellationError`.
    func make<Value: Sendable>(
        _ work: @escaping @Sendable (SecretService, CallDeadline) throws -> Value
    ) async throws -> Value {
        let start = SuspendingClock().now
        do {
            let value = try await wait(since: start) { worker, gate, end in
                await worker.perform(for: gate, before: end) { try work($0, end) }
            }
            silence.noteAnswer(of: bus)
            return value
        } catch let error as SecureStoreError {
            switch error.code {
            case .timedOut: silence.noteTimeout(of: bus, deadline, since: start)
            // Another process was waited for, and the keyring may be the reason that it took so long.
            case .busy: break
            default: silence.noteAnswer(of: bus)
            }
            throw error
        }
    }

    /// The program that is the keyring; nil where the system does not say.
    ///
    /// The bus answers, so this says nothing about the keyring's silence.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func program() async throws -> KeyringProgram? {
        try await wait(since: SuspendingClock().now) { await $0.findProgram(for: $1, before: $2) }
    }

    private func wait<Value: Sendable>(
        since start: SuspendingClock.Instant,
        for work: @escaping @Sendable (KeyringWorker, CallGate<Value>, CallDeadline) async -> Void
    ) async throws -> Value {
        let patience = silence.patience(for: bus, upTo: deadline, at: start)
        let end = CallDeadline(in: patience)
        let gate = CallGate<Value> { end.cancellation.cancel() }
        return try await waiting.wait(for: gate, atMost: patience) {
            Task.detached { [worker] in await work(worker, gate, end) }
        }
    }
}
#endif
