// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The work on tokens that are only in memory, because the store did not accept them.
struct UnsavedTokens {
    /// The task that retries the write, while tokens are only in memory.
    fileprivate(set) var saving: Task<Void, Never>?
    /// The hold on the inter-process lock, while tokens are only in memory.
    fileprivate var lockHold: Promise<Void>?

    /// Releases the lock after the tokens were written, or are gone.
    mutating func releaseLock() {
        lockHold?.finish(.success(()))
        lockHold = nil
    }
}

extension AuthSession {
    /// Retries a failed write of tokens, after any sign-in and refresh in progress.
    ///
    /// Call this before a process ends: a process that ends in the middle of a refresh loses the new tokens. A refresh
    /// that another process keeps from beginning, and that no caller waits for, is called off. Also waits for the
    /// revocation of another user's tokens that a refresh brought, for five seconds at most.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`) if the write fails again, and the tokens stay in memory;
    ///   `CancellationError`.
    public func flush() async throws {
        try await writeUnsavedAfterRefresh()
        guard let trailingWork else { return }
        // Throws only if the caller's task is cancelled. It then continues without the wait.
        try? await clock.waitBriefly { await trailingWork.value }
    }

    /// Adds work that a refresh leaves behind, and that no caller waits for but ``flush()``.
    func addTrailingWork(_ work: @escaping @Sendable () async -> Void) {
        trailingTasks += 1
        trailingWork = Task { [weak self, trailingWork] in
            await work()
            await trailingWork?.value
            await self?.noteTrailingTaskEnded()
        }
    }

    private func noteTrailingTaskEnded() {
        trailingTasks -= 1
        if trailingTasks == 0 { trailingWork = nil }
    }

    private func writeUnsavedAfterRefresh() async throws {
        // For example, a sign-in may be in the middle of its write.
        await repository.earlierWrites()
        // A refresh in progress writes newer tokens.
        while let flight = coordinator.flight, await waitOrCallOff(flight) { try Task.checkCancellation() }
        try await writeUnsaved()
    }

    /// Retries a failed write of tokens once.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`).
    func writeUnsaved() async throws(AuthSessionError) {
        guard let unsaved = current, unsaved.persistenceError != nil else { return }
        let epoch = self.epoch
        let writing = await write(unsaved, replacing: unsaved, in: epoch)
        guard isCurrent(epoch), current?.record.tokens.isSame(as: unsaved.record.tokens) == true else { return }
        switch writing {
        case .done(let saved):
            modify { $0.noteWrite(saved) }
            if let error = saved.persistenceError { throw AuthSessionError(.storeUnavailable, underlying: error) }
        case .overtaken:
            // Another process has changed the session, and the reread takes that over. If it is gone there, it is gone
            // here.
            modify { $0.noteOvertaken() }
            _ = try? await adoptStored(in: epoch)
        }
    }

    /// Waits until no refreshed tokens are only in memory.
    ///
    /// The store still holds the tokens that were exchanged for them. Another process that refreshed those would
    /// present a used token to the server.
    func holdLockForUnsavedTokens() async {
        guard current?.persistenceError != nil else { return }
        let hold = unsavedTokens.lockHold ?? Promise()
        unsavedTokens.lockHold = hold
        // The session's own task is never cancelled.
        _ = try? await hold.value()
    }

    /// Waits for a refresh, or calls it off if it waits for another process itself.
    ///
    /// - Returns: False if the refresh continues without the caller: an earlier response may be lost, and this process
    ///   must request it again while it lives.
    private func waitOrCallOff(_ flight: RefreshFlight) async -> Bool {
        do {
            _ = try await flight.value(promptly: true)
        } catch let error as AuthSessionError where error.code == .busy && flight.isIdle {
            if let current, isReplayDue(current) { return false }
            coordinator.callOff(flight, error)
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
    func keepSaving() {
        guard unsavedTokens.saving == nil else { return }
        let clock = clock
        unsavedTokens.saving = Task { [weak self] in
            var wait = Duration.seconds(1)
            repeat {
                // The session's own task is never cancelled.
                try? await clock.sleep(wait)
                wait = min(wait * 2, .seconds(60))
            } while await self?.retrySaving() ?? false
        }
    }

    /// Retries the write once, and returns whether something is left to write.
    private func retrySaving() async -> Bool {
        // ``persistenceError`` holds the error.
        try? await writeUnsavedAfterRefresh()
        // This is one step: a later failed write finds no task, and starts one.
        if current?.persistenceError == nil { unsavedTokens.saving = nil }
        return unsavedTokens.saving != nil
    }

    /// Returns the session after another attempt to write it, if the one at its sign-in failed.
    func retried(_ session: CurrentSession) async -> CurrentSession {
        let saved = await repository.save(session)
        guard saved.session.persistenceError == nil else { return saved.session }
        // An attempt that seemed to fail may still have written it.
        let found = saved.replaced.flatMap { $0.signIn == session.record.signIn ? nil : $0 }
        revokeReplaced(found, session.replaced.record)
        return saved.session
    }
}
