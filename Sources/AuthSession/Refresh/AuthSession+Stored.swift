// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The session's item in the store, which other processes change too.
extension AuthSession {
    /// 3. Reread and adopt: takes over the changes of another process.
    ///
    /// - Returns: The tokens with which another process has replaced this session's; nil if this session is to be
    ///   refreshed.
    /// - Throws: The error of ``absence()`` if the session has ended or a user signed in or out; `storeUnavailable` if
    ///   the store can't be read, so that the user must not be signed out and no token used up.
    func adoptStored(in epoch: Int) async throws(AuthSessionError) -> TokenSet? {
        let known = try session(in: epoch)
        // A sign-in is still being written, or can't be: the store's content is older.
        guard let stored = known.stored, known.isRemembered else { return nil }
        let item: SecretBytes?
        do {
            item = try await repository.item()
        } catch {
            logger.debug("the store can't be read for the refresh")
            // The store's tokens are used up already. Only those in memory are of use.
            if known.persistenceError != nil { return nil }
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
        // The session changed here during the read: the item that was read is older.
        guard try session(in: epoch).stored?.item == stored.item else { return nil }
        guard let item else {
            // The item is gone. If this process is removing it, it publishes the reason itself.
            return core.removalsInFlight > 0 ? nil : try leave()
        }
        // The write that follows replaces the item, even if its other bytes differ.
        if item == stored.item || known.persistenceError != nil { return nil }
        let record: SessionRecord
        do throws(SessionRecordError) {
            record = try SessionRecord(item, of: authority)
        } catch {
            logger.warning("the stored session was changed and can't be read (\(error.code))")
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
        return try adopt(record, from: item, insteadOf: known)
    }

    /// Adopts as ``adoptStored(in:)``, and returns the error of a store that can't be read.
    func adoptReadable(in epoch: Int) async throws(AuthSessionError) -> (tokens: TokenSet?, unread: AuthSessionError?) {
        do {
            return (try await adoptStored(in: epoch), nil)
        } catch {
            guard error.code == .storeUnavailable else { throw error }
            return (nil, error)
        }
    }

    /// Leaves the session, because another process signed out, or signed in at another backend.
    private func leave() throws(AuthSessionError) -> TokenSet? {
        apply { $0.leave() }
        throw absence()
    }

    private func adopt(_ record: SessionRecord, from item: SecretBytes, insteadOf known: CurrentSession)
        throws(AuthSessionError) -> TokenSet?
    {
        guard !record.isForeign else { return try leave() }
        let isSameUser =
            record.isOfSameSignIn(as: known.record) || SessionUser.isSame(record.user, as: known.record.user)
        let adopted = currentSession(record, from: item)
        let isNew = record.tokens.accessToken != known.record.tokens.accessToken
        apply { $0.adopt(adopted, isNew: isNew, isOfSameUser: isSameUser) }
        guard isSameUser else { throw AuthSessionError(.notSignedIn) }
        // A process that is gone left a refresh open: it continues here while the server repeats its response.
        guard isNew, !isReplayDue(adopted), adopted.deadline.freshness(at: clock.uptime()) != .expired else {
            return nil
        }
        logger.debug("another process has refreshed, generation \(record.tokenGeneration)")
        return record.tokens
    }

    /// 7. Write: puts new tokens in the place of those that were exchanged for them, and of no others.
    ///
    /// This applies even if a user signed out or in meanwhile, as long as the store holds the old tokens. The later
    /// removal or replacement of the record finds the tokens to revoke in it. If the process is killed before that, the
    /// record does not hold used tokens.
    func write(_ new: CurrentSession, replacing old: CurrentSession, in epoch: Int) async -> TokenWriting {
        guard new.isRemembered else { return .done(new) }
        var (new, expected) = (new, old.stored)
        do {
            for _ in 0..<compareAndReplaceAttempts {
                guard let stored = expected else {
                    // The sign-in has not been written yet. A sign-out in the meantime has removed its place.
                    return isCurrent(epoch) ? .done(await retried(new)) : .overtaken(isGone: true)
                }
                if let written = try await repository.replace(stored, with: new.record) {
                    new.stored = written
                    new.persistenceError = nil
                    return .done(new)
                }
                guard let item = try await repository.item() else { return .overtaken(isGone: true) }
                let found = try SessionRecord(item, of: authority)
                // The item holds the used tokens or already the new ones: another process wrote it without the lock.
                guard found.tokens.isSame(as: stored.tokens) || found.tokens.isSame(as: new.record.tokens) else {
                    return .overtaken(isGone: !found.isOfSameSignIn(as: new.record))
                }
                // That process has stored the user as the server names them now.
                if try SessionRecord(stored.item).user == new.record.user { new.record.user = found.user }
                expected = StoredItem(item: item, tokens: found.tokens)
            }
            new.persistenceError = SecureStoreError(.busy)
        } catch {
            new.persistenceError = SecureStoreError(cause: error)
        }
        logger.warning("new tokens could not be written to the store; they are kept in memory")
        return .done(new)
    }

    /// Changes the stored record as the one in memory was changed, and takes over the new item.
    ///
    /// Does nothing if the session is not in the store: a later write contains the change.
    ///
    /// - Returns: Whether the new item was taken over. False also if another process has changed the item, whose values
    ///   the next read takes over.
    @discardableResult
    func updateStored(
        in epoch: Int,
        where isExpected: @escaping @Sendable (SessionRecord) -> Bool,
        _ change: @escaping @Sendable (inout SessionRecord) -> Void
    ) async throws -> Bool {
        guard let session = current, session.stored != nil, session.persistenceError == nil, session.isRemembered
        else { return false }
        let written = try await repository.update(where: isExpected, change)
        guard isCurrent(epoch), let written, current?.stored?.item == written.replaced else { return false }
        modify { $0.noteStored(written.new) }
        return true
    }

    /// Writes the user to the stored record, and leaves the rest of it as it is: a refresh in progress, here or in
    /// another process, has its journal there.
    func keepUser(in epoch: Int) async {
        guard let session = current, let user = session.record.user else { return }
        let (record, profileUpdates) = (session.record, core.profileUpdates)
        do {
            let isTakenOver = try await updateStored(
                in: epoch,
                where: { $0.isOfSameSignIn(as: record) },
                { $0.user = user }
            )
            guard isTakenOver, let known = current else { return }
            // The tokens of another process were taken over meanwhile, with the earlier user.
            if known.record.user != user, profileUpdates == core.profileUpdates { update(user, since: epoch) }
        } catch {
            guard let unsaved = try? self.session(in: epoch), unsaved.record.tokens.isSame(as: record.tokens)
            else { return }
            modify { $0.noteFailedWrite(SecureStoreError(cause: error)) }
            keepSaving()
        }
    }
}

enum TokenWriting: Sendable {
    /// The tokens are in the store, or in memory with a ``CurrentSession/persistenceError``.
    case done(CurrentSession)
    /// The store holds other tokens, or none: `isGone` if a sign-out or another sign-in has ended the session.
    case overtaken(isGone: Bool)
}
