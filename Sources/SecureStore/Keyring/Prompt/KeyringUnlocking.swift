#if Keyring && canImport(CSecretService)
internal import Dispatch
internal import Synchronization

/// Has the keyring unlocked by the person: callers at the same time share one prompt.
///
/// A caller who leaves, at the deadline or cancelled, leaves alone; the prompt stays until the person has answered it,
/// and who comes meanwhile joins it.
final class KeyringUnlocking: Sendable {
    private let calls: KeyringCalls
    private let waitingForPerson = BoundedCall()
    /// The prompt's thread: blocked as long as the person takes, and so not the one of the calls.
    private let prompts = DispatchQueue(label: "sallyport.keyring.prompts")
    /// Who waits for the prompt; nil where none is open.
    private let waiting = Mutex<[CallGate<Void>]?>(nil)

    /// Finds out what is to be prompted for; nil where nothing is.
    typealias Offer = @Sendable (SecretService, CallDeadline) throws -> PromptOffer?

    init(_ calls: KeyringCalls) {
        self.calls = calls
    }

    /// Shows a prompt, or joins the one that is open.
    ///
    /// - Parameters:
    ///   - end: Until when to wait.
    ///   - offer: Finds out what is to be prompted for; nil where nothing is.
    /// - Throws: ``SecureStoreError`` (`promptDismissed`, `timedOut` where nobody answers, and all that a call throws);
    ///   `CancellationError`.
    func ask(
        until end: ContinuousClock.Instant,
        _ offer: @escaping Offer
    ) async throws {
        let gate = CallGate<Void>()
        let isFirst = waiting.withLock { waiting in
            // Those who have left meanwhile are no longer waited for.
            defer { waiting = (waiting ?? []).filter { !$0.isClosed } + [gate] }
            return waiting == nil
        }
        try await waitingForPerson.wait(for: gate, atMost: ContinuousClock.now.duration(to: end)) {
            guard isFirst else { return }
            Task.detached { await self.run(offer) }
        }
    }

    /// Shows the prompts by which emptied items are deleted, one after the other.
    ///
    /// Nothing depends on their answers, so it returns too if the user does not agree, if time is up, and if the caller's
    /// task is cancelled; prompts that are still to come are not shown then.
    ///
    /// - Parameters:
    ///   - offers: What to show.
    ///   - end: Until when to wait.
    func confirm(_ offers: [PromptOffer], until end: ContinuousClock.Instant) async {
        for offer in offers where ContinuousClock.now < end && !Task.isCancelled {
            let gate = CallGate<Void>()
            try? await waitingForPerson.wait(for: gate, atMost: ContinuousClock.now.duration(to: end)) {
                prompts.async { gate.answer { try offer.show() } }
            }
        }
    }

    /// Ends the unlocking where all have left; who comes next begins another one.
    private func endIfAbandoned() -> Bool {
        waiting.withLock { waiting in
            guard !(waiting ?? []).contains(where: { !$0.isClosed }) else { return false }
            waiting = nil
            return true
        }
    }

    private func run(_ offer: @escaping Offer) async {
        guard let result = await outcome(offer) else { return }
        let waiters = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for waiter in waiters { waiter.answer(result) }
    }

    private func outcome(
        _ offer: @escaping Offer
    ) async -> Result<Void, any Error>? {
        do {
            guard let found = try await calls.make(offer) else { return .success(()) }
            // Nothing is shown for who has left.
            if endIfAbandoned() { return nil }
            return await withCheckedContinuation { continuation in
                prompts.async { continuation.resume(returning: Result { try found.show() }) }
            }
        } catch {
            return .failure(error)
        }
    }
}
#endif
