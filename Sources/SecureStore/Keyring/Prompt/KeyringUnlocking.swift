// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import AuthCore
internal import Dispatch
internal import Synchronization

/// The keyring's prompts to the user; concurrent callers share one unlocking prompt.
///
/// A caller that reaches its deadline or is cancelled stops waiting. The prompt stays until the user answers it, and
/// later callers join it.
final class KeyringUnlocking: Sendable {
    private let calls: KeyringCalls
    private let waitingForUser = BoundedCall()
    /// The unlocking prompt's thread, apart from that of the calls: it blocks until the user answers.
    private let prompts = DispatchQueue(label: "sallyport.keyring.prompts")
    /// The deletion prompts' thread.
    ///
    /// It is separate so that an ignored deletion prompt does not block an unlocking prompt.
    private let deletions = DispatchQueue(label: "sallyport.keyring.deletions")
    /// The callers that wait for the prompt; nil if no unlocking is in progress.
    private let waiting = Mutex<[Promise<Void>]?>(nil)

    /// A function that returns the prompt to show; nil if no prompt is needed.
    typealias Offer = @Sendable (SecretService, CallDeadline) throws -> PromptOffer?

    init(_ calls: KeyringCalls) {
        self.calls = calls
    }

    /// Shows a prompt, or joins the open one.
    ///
    /// - Parameters:
    ///   - end: The time until which to wait.
    ///   - offer: The function that returns the prompt to show; nil if no prompt is needed.
    /// - Throws: ``SecureStoreError`` (`promptDismissed`, `timedOut` if the user does not answer, and the errors of a
    ///   call); `CancellationError`.
    func ask(
        until end: ContinuousClock.Instant,
        _ offer: @escaping Offer
    ) async throws {
        let promise = Promise<Void>()
        let isFirst = waiting.withLock { waiting in
            // Callers that no longer wait are dropped.
            defer { waiting = (waiting ?? []).filter { !$0.isFinished } + [promise] }
            return waiting == nil
        }
        try await waitingForUser.wait(for: promise, atMost: ContinuousClock.now.duration(to: end)) {
            guard isFirst else { return }
            Task.detached { await self.run(offer) }
        }
    }

    /// Shows the prompt that deletes an emptied entry.
    ///
    /// The result does not depend on the user's answer. The call returns too if the user declines, if time is up, or if
    /// the caller's task is cancelled. In the last two cases the prompt stays.
    ///
    /// - Parameters:
    ///   - offer: The prompt.
    ///   - end: The time until which to wait.
    ///   - keep: The function to call if the user declined, however late, or if the prompt was not shown.
    func confirm(
        _ offer: PromptOffer,
        until end: ContinuousClock.Instant,
        orKeep keep: @escaping @Sendable () async -> Void
    ) async {
        let promise = Promise<Void>()
        try? await waitingForUser.wait(for: promise, atMost: ContinuousClock.now.duration(to: end)) {
            Task.detached { [deletions] in
                let isKept: Bool = await withCheckedContinuation { continuation in
                    // No prompt is shown for a caller that no longer waits.
                    deletions.async { continuation.resume(returning: promise.isFinished || Self.isDeclined(offer)) }
                }
                if isKept { await keep() }
                promise.finish(.success(()))
            }
        }
    }

    /// Shows a prompt, and returns whether the user declined.
    ///
    /// False too if its provider or the bus went away: its window may still be open.
    private static func isDeclined(_ offer: PromptOffer) -> Bool {
        do {
            try offer.show()
            return false
        } catch {
            return (error as? SecureStoreError)?.code == .promptDismissed
        }
    }

    /// Ends the unlocking if no caller waits any longer, and returns whether it did.
    ///
    /// The next caller then begins a new one.
    private func endIfAbandoned() -> Bool {
        waiting.withLock { waiting in
            guard !(waiting ?? []).contains(where: { !$0.isFinished }) else { return false }
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
        for waiter in waiters { waiter.finish(result) }
    }

    private func outcome(
        _ offer: @escaping Offer
    ) async -> Result<Void, any Error>? {
        do {
            guard let found = try await calls.make(offer) else { return .success(()) }
            // No prompt is shown if no caller waits any longer.
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
