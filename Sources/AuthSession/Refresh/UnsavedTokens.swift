// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// Tokens that are only in memory, because the store did not accept them.
///
/// Owns the task that retries the write, and the inter-process lock while it is kept for them. Confined to the
/// session's actor: its methods run in the owner's isolation.
final class UnsavedTokens {
    private let repository: SessionRepository
    private let clock: SessionClock
    /// The task that retries the write, while tokens are only in memory.
    private(set) var saving: Task<Void, Never>?
    /// The hold on the inter-process lock, while tokens are only in memory.
    private var lockHold: Promise<Void>?

    init(_ repository: SessionRepository, _ clock: SessionClock) {
        self.repository = repository
        self.clock = clock
    }

    /// Waits until no refreshed tokens are only in memory.
    ///
    /// The store still holds the tokens that were exchanged for them. Another process that refreshed those would
    /// present a used token to the server.
    func hold(for owner: isolated AuthSession) async {
        guard owner.current?.persistenceError != nil else { return }
        let hold = lockHold ?? Promise()
        lockHold = hold
        // The session's own task is never cancelled.
        _ = try? await hold.value()
    }

    /// Releases the lock after the tokens were written, or are gone.
    func release() {
        lockHold?.finish(.success(()))
        lockHold = nil
    }

    /// Retries a failed write of tokens.
    ///
    /// - Parameters:
    ///   - waitingForFlight: Whether to wait first for a refresh in progress, which writes newer tokens.
    ///   - owner: The session.
    /// - Throws: The errors of ``AuthSession/flush()``.
    func flush(waitingForFlight: Bool, for owner: isolated AuthSession) async throws {
        // For example, a sign-in may be in the middle of its write.
        if waitingForFlight { await repository.earlierWrites() }
        while waitingForFlight, let flight = owner.coordinator.flight, await settle(flight, for: owner) {
            try Task.checkCancellation()
        }
        guard let unsaved = owner.current, unsaved.persistenceError != nil else { return }
        let epoch = owner.epoch
        let writing = await owner.write(unsaved, replacing: unsaved, in: epoch)
        guard owner.isCurrent(epoch),
            owner.current?.record.tokens.isSame(as: unsaved.record.tokens) == true
        else { return }
        switch writing {
        case .done(let saved):
            owner.apply(.kept(saved))
            if let error = saved.persistenceError { throw AuthSessionError(.storeUnavailable, underlying: error) }
        case .overtaken:
            // Another process has changed the session, and the reread takes that over. If it is gone there, it is gone
            // here.
            owner.apply(.overtaken)
            _ = try? await owner.adoptStored(in: epoch)
        }
    }

    /// Waits for a refresh, or calls it off if it waits for another process itself.
    ///
    /// - Returns: False if the refresh continues without the caller: an earlier response may be lost, and this process
    ///   must request it again while it lives.
    private func settle(_ flight: RefreshFlight, for owner: isolated AuthSession) async -> Bool {
        do {
            _ = try await flight.promptValue()
        } catch let error as AuthSessionError where error.code == .busy && flight.isIdle {
            if let current = owner.current, owner.isReplayDue(current) { return false }
            owner.coordinator.callOff(flight, error)
        } catch {
            // The refresh has begun or is over, or the caller is cancelled and finds out next. The refresh's own
            // callers get its error.
            _ = try? await flight.value()
        }
        return true
    }

    /// Retries the write of unsaved tokens, with growing pauses.
    ///
    /// Ends when they are written, when the session ends, and with this object.
    func keepSaving(for owner: isolated AuthSession) {
        guard saving == nil else { return }
        let clock = clock
        saving = Task { [weak owner] in
            var wait = Duration.seconds(1)
            repeat {
                // The session's own task is never cancelled.
                try? await clock.sleep(wait)
                wait = min(wait * 2, .seconds(60))
            } while await owner?.retry() ?? false
        }
    }

    /// Retries the write once.
    ///
    /// Returns false if nothing is left to write. A later failed write then starts again.
    fileprivate func retry(for owner: isolated AuthSession) async -> Bool {
        // ``AuthSession/persistenceError`` holds the error.
        try? await flush(waitingForFlight: true, for: owner)
        // This is one step: a later failed write finds no task, and starts one.
        if owner.current?.persistenceError == nil { saving = nil }
        return saving != nil
    }

    /// Returns the session after another attempt to write it, if the one at its sign-in failed.
    func retried(_ session: CurrentSession, for owner: isolated AuthSession) async -> CurrentSession {
        let saved = await repository.save(session)
        guard saved.session.persistenceError == nil else { return saved.session }
        // An attempt that seemed to fail may still have written it.
        let found = saved.replaced.flatMap { $0.signIn == session.record.signIn ? nil : $0 }
        owner.revokeReplaced(found, session.replaced.record)
        return saved.session
    }
}

extension AuthSession {
    /// Retries a failed write of tokens, after any sign-in and refresh in progress.
    ///
    /// Also waits for the verification of the ID token that came with the refresh, for five seconds at most.
    ///
    /// Call this before a process ends: a process that ends in the middle of a refresh loses the new tokens. A refresh
    /// that another process keeps from beginning, and that no caller waits for, is called off.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`) if the write fails again, and the tokens stay in memory;
    ///   `CancellationError`.
    public func flush() async throws {
        try await unsavedTokens.flush(waitingForFlight: true, for: self)
        await trailingWork.finished()
    }

    /// Retries the write once.
    ///
    /// Returns false if nothing is left to write.
    fileprivate func retry() async -> Bool {
        await unsavedTokens.retry(for: self)
    }
}
