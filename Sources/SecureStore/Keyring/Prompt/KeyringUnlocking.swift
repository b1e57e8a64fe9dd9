#if Keyring && canImport(CSecretService)
internal import Dispatch
internal import Synchronization

/// Has the keyring unlocked by the person: callers at the same time share one prompt.
///
/// A caller who leaves, at the deadline or cancelled, leaves alone; the prompt stays until the person has answered it,
/// and who comes meanwhile joins it.
final class KeyringUnlocking: Sendable {
    private let worker: KeyringWorker
    private let call = BoundedCall()
    /// The prompt's thread: blocked as long as the person takes, and so not the one of the calls.
    private let prompts = DispatchQueue(label: "sallyport.keyring.prompts")
    /// Who waits for the prompt; nil where none is open.
    private let waiting = Mutex<[CallGate<Void>]?>(nil)

    init(worker: KeyringWorker) {
        self.worker = worker
    }

    /// Shows a prompt, or joins the one that is open.
    ///
    /// - Parameters:
    ///   - end: Until when to wait.
    ///   - deadline: How long the keyring may take for what leads to the prompt.
    ///   - offer: Finds out what is to be prompted for; nil where nothing is.
    /// - Throws: ``SecureStoreError`` (`promptDismissed`, `timedOut` where nobody answers, and all that a call throws);
    ///   `CancellationError`.
    func ask(
        until end: ContinuousClock.Instant,
        _ deadline: Duration,
        _ offer: @escaping @Sendable (SecretService, CallDeadline) throws -> PromptOffer?
    ) async throws {
        let gate = CallGate<Void>()
        let isFirst = waiting.withLock { waiting in
            defer { waiting = (waiting ?? []) + [gate] }
            return waiting == nil
        }
        try await call.wait(for: gate, atMost: ContinuousClock.now.duration(to: end)) {
            guard isFirst else { return }
            Task.detached { await self.run(deadline, offer) }
        }
    }

    private func run(
        _ deadline: Duration,
        _ offer: @escaping @Sendable (SecretService, CallDeadline) throws -> PromptOffer?
    ) async {
        let result = await outcome(deadline, offer)
        let waiters = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for waiter in waiters { waiter.answer(result) }
    }

    private func outcome(
        _ deadline: Duration,
        _ offer: @escaping @Sendable (SecretService, CallDeadline) throws -> PromptOffer?
    ) async -> Result<Void, any Error> {
        do {
            let end = CallDeadline(in: deadline)
            let gate = CallGate<PromptOffer?> { end.cancellation.cancel() }
            let found = try await call.wait(for: gate, atMost: deadline) {
                Task.detached { [worker] in await worker.perform(for: gate, before: end) { try offer($0, end) } }
            }
            guard let found else { return .success(()) }
            return await withCheckedContinuation { continuation in
                prompts.async { continuation.resume(returning: Result { try found.show() }) }
            }
        } catch {
            return .failure(error)
        }
    }
}
#endif
