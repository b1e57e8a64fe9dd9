// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
internal import AuthCore
/// The calls to one keyring, made one after the other on their own thread, each within a deadline.
///
/// After a call without a reply, the next calls have less time: see ``KeyringBackoff``.
struct KeyringCalls: Sendable {
    private let worker: KeyringWorker
    private let deadline: Duration
    private let bus: String
    private let backoff: KeyringBackoff
    private let waiting = BoundedCall()

    /// Describes a keyring; the first call connects to it.
    ///
    /// - Parameters:
    ///   - environment: The environment that leads to the keyring.
    ///   - deadline: The time limit of a call, clamped to between a millisecond and a day.
    ///   - backoff: The record of keyrings that don't reply at the moment.
    init(_ environment: KeyringEnvironment, deadline: Duration, backoff: KeyringBackoff = .ofProcess) {
        worker = KeyringWorker(environment)
        self.deadline = BoundedCall.bounded(deadline)
        bus = environment.busAddress ?? ""
        self.backoff = backoff
    }

    /// Makes calls, and returns to the caller at the deadline or when its task is cancelled.
    ///
    /// - Parameter work: The calls. It receives the service, and the deadline for each of its steps.
    /// - Returns: The result of the work.
    /// - Throws: The errors of the work; ``SecureStoreError``; `CancellationError`.
    func make<Value: Sendable>(
        _ work: @escaping @Sendable (SecretService, CallDeadline) throws -> Value
    ) async throws -> Value {
        let start = SuspendingClock().now
        do {
            let value = try await wait(since: start) { worker, promise, end in
                await worker.perform(for: promise, before: end) { try work($0, end) }
            }
            backoff.noteResponse(of: bus)
            return value
        } catch let error as SecureStoreError {
            switch error.code {
            case .timedOut: backoff.noteTimeout(of: bus, deadline, since: start)
            // The call waited for another process, perhaps because the keyring held that process up.
            case .busy: break
            default: backoff.noteResponse(of: bus)
            }
            throw error
        }
    }

    /// Returns the program that runs the keyring; nil if the system does not name it.
    ///
    /// The bus itself replies, so the result neither begins nor ends the keyring's silence.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func program() async throws -> KeyringProgram? {
        try await wait(since: SuspendingClock().now) { await $0.findProgram(for: $1, before: $2) }
    }

    private func wait<Value: Sendable>(
        since start: SuspendingClock.Instant,
        for work: @escaping @Sendable (KeyringWorker, Promise<Value>, CallDeadline) async -> Void
    ) async throws -> Value {
        let timeout = backoff.timeout(for: bus, upTo: deadline, at: start)
        let end = CallDeadline(in: timeout)
        let promise = Promise<Value>()
        return try await waiting.wait(for: promise, atMost: timeout, onAbandon: { end.cancellation.cancel() }) {
            Task.detached { [worker] in await work(worker, promise, end) }
        }
    }
}
#endif
