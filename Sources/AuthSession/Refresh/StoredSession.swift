// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The session's item in the store, which other processes change too.
extension AuthSession {
    /// The session, if no user has signed in or out since an epoch.
    ///
    /// - Throws: The error of ``absence()``.
    func session(in epoch: Int) throws(AuthSessionError) -> CurrentSession {
        guard isCurrent(epoch), let current else { throw absence() }
        return current
    }

    /// Whether no user has signed in or out since an epoch.
    package func isCurrent(_ epoch: Int) -> Bool { epoch == self.epoch }

    /// 3. Reread and adopt: takes over the changes of another process.
    ///
    /// - Returns: The tokens with which another process has replaced this session's; nil if this session is to be
    ///   refreshed.
    /// - Throws: ``AuthSessionError``: that of ``absence()`` if the session has ended or a user signed in or out;
    ///   `storeUnavailable` if the store can't be read, so that the user must not be signed out and no token used up.
    func adoptStored(in epoch: Int) async throws(AuthSessionError) -> TokenSet? {
        // A sign-in is still being written, or can't be: the store's content is older.
        guard let known = current, let stored = known.stored, known.isRemembered else { return nil }
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
            return core.isEnding ? nil : try leave()
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
    func adoptReadable(
        in epoch: Int
    ) async throws(AuthSessionError) -> (tokens: TokenSet?, unread: AuthSessionError?) {
        do {
            return (try await adoptStored(in: epoch), nil)
        } catch {
            guard error.code == .storeUnavailable else { throw error }
            return (nil, error)
        }
    }

    /// Leaves the session, because another process signed out, or signed in at another backend.
    private func leave() throws(AuthSessionError) -> TokenSet? {
        apply(.left)
        throw absence()
    }

    private func adopt(
        _ record: SessionRecord,
        from item: SecretBytes,
        insteadOf known: CurrentSession
    ) throws(AuthSessionError) -> TokenSet? {
        guard !record.isForeign else { return try leave() }
        let isSameUser =
            record.isOfSameSignIn(as: known.record) || SessionUser.isSame(record.user, as: known.record.user)
        let adopted = currentSession(record, from: item)
        let isNew = record.tokens.accessToken != known.record.tokens.accessToken
        apply(.adopted(adopted, isNew: isNew, isOfSameUser: isSameUser))
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
    func write(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        in epoch: Int
    ) async -> TokenWriting {
        guard new.isRemembered else { return .done(new) }
        var (new, expected) = (new, old.stored)
        do {
            for _ in 0..<CompareAndReplace.attempts {
                guard let stored = expected else {
                    // The sign-in has not been written yet. A sign-out in the meantime has removed its place.
                    return isCurrent(epoch)
                        ? .done(await unsavedTokens.retried(new, for: self)) : .overtaken(isGone: true)
                }
                if let written = try await repository.replace(stored, with: new.record) {
                    new.stored = written
                    new.persistenceError = nil
                    return .done(new)
                }
                guard let item = try await repository.item() else {
                    return .overtaken(isGone: true)
                }
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
}

/// The result of writing new tokens.
enum TokenWriting: Sendable {
    /// The tokens are in the store, or in memory if the write failed; see ``CurrentSession/persistenceError``.
    case done(CurrentSession)
    /// The store holds other tokens, or no session.
    ///
    /// `isGone`: the session of these tokens has ended, by a sign-out or another sign-in.
    case overtaken(isGone: Bool)
}
