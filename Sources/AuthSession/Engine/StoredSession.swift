// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The session's item in the store, which other processes change too.
///
/// Takes over their changes, and writes new tokens only in the place of those that were exchanged for them. Confined to
/// the session's actor: its methods run in the owner's isolation.
struct StoredSession {
    let authority: any TokenAuthority
    let repository: SessionRepository
    let clock: SessionClock
    let logger: Logger

    /// 3. Reread: takes over the changes of another process.
    func reread(in startGeneration: Int, for owner: isolated AuthSession) async -> StoreReading {
        // A sign-in is still being written, or can't be: the store's content is older.
        guard let known = owner.current, let stored = known.stored, known.isRemembered else { return .unsettled }
        let item: SecretBytes?
        do {
            item = try await repository.item()
        } catch {
            logger.debug("the store can't be read for the refresh")
            // The store's tokens are used up already. Only those in memory are of use.
            if known.persistenceError != nil { return .unsettled }
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
        guard startGeneration == owner.generation, let now = owner.current else {
            return .settled(.failure(owner.absence()))
        }
        // The session changed here during the read: the item that was read is older.
        guard now.stored?.item == stored.item else { return .unsettled }
        // The item is gone. If this process is removing it, it publishes the reason itself.
        guard let item else { return owner.core.isEnding ? .unsettled : leave(for: owner) }
        // The write that follows replaces the item, even if its other bytes differ.
        if item == stored.item || known.persistenceError != nil { return .unsettled }
        do {
            return adopt(try SessionRecord(item, of: authority), from: item, instead: known, for: owner)
        } catch {
            logger.warning("the stored session was changed and can't be read (\(error.code))")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Leaves the session, because another process signed out, or signed in at another backend.
    private func leave(for owner: isolated AuthSession) -> StoreReading {
        owner.apply(.left)
        return .settled(.failure(owner.absence()))
    }

    private func adopt(
        _ record: SessionRecord,
        from item: SecretBytes,
        instead known: CurrentSession,
        for owner: isolated AuthSession
    ) -> StoreReading {
        guard !record.isForeign else { return leave(for: owner) }
        let isSameUser =
            record.isOfSameSignIn(as: known.record) || SessionUser.isSame(record.user, as: known.record.user)
        let adopted = owner.currentSession(record, from: item)
        let isNew = record.tokens.accessToken != known.record.tokens.accessToken
        owner.apply(.adopted(adopted, isNew: isNew, isOfSameUser: isSameUser))
        guard isSameUser else { return .settled(.failure(AuthSessionError(.notSignedIn))) }
        // A process that is gone left a refresh open: it continues here while the server repeats its response.
        guard isNew, !owner.isReplayDue(adopted), adopted.deadline.freshness(at: clock.uptime()) != .expired else {
            return .unsettled
        }
        logger.debug("another process has refreshed, generation \(record.tokenGeneration)")
        return .settled(.success(record.tokens))
    }

    /// 7. Write: puts new tokens in the place of those that were exchanged for them, and of no others.
    ///
    /// This applies even if a user signed out or in meanwhile, as long as the store holds the old tokens. The later
    /// removal or replacement of the record finds the tokens to revoke in it. If the process is killed before that, the
    /// record does not hold used tokens.
    func write(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> TokenWriting {
        guard new.isRemembered else { return .done(new) }
        var (new, expected) = (new, old.stored)
        do {
            for _ in 0..<CompareAndReplace.attempts {
                guard let stored = expected else {
                    // The sign-in has not been written yet. A sign-out in the meantime has removed its place.
                    return startGeneration == owner.generation
                        ? .done(await owner.unsavedTokens.retried(new, for: owner)) : .overtaken(isGone: true)
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
