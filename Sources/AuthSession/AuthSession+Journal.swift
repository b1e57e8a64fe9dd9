import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// 4. Journal: writes to the store that a refresh of this generation has begun.
    ///
    /// Who finds it there after a crash knows that the server may have replaced the tokens, and sends the same refresh
    /// again while the server's grace window is open.
    func journal(_ session: HeldSession, in begun: Int) async -> JournalWriting {
        var session = session
        // Begun before, with an outcome that nobody knows: the window counts from the first time.
        if session.record.refreshBegunAt != nil {
            session.isReplay = true
            // Past the window it is the last resort, and one that the server may carry out now: its own answer, where that
            // is lost, is asked for again in a window of its own. A server that has replaced the token before refuses both.
            if isReplayDue(session) || !authority.usesTokenUp { return .written(session) }
        }
        // Newer in the hand than in the store, whose tokens are used up already.
        guard session.unsaved == nil else { return unjournaled(session) }
        let now = clock.moment()
        (session.record.refreshBegunAt, session.begunAt) = (now.date, now.uptime)
        guard session.isRemembered, let stored = session.stored else {
            // In memory alone: it is written down there.
            if !session.isRemembered { held = session }
            return session.isRemembered ? unjournaled(session) : .written(session)
        }
        do {
            guard let written = try await replace(stored, with: session.record) else { return .changed }
            session.stored = written
            if begun == epoch { held = session }
            return .written(session)
        } catch {
            logger.warning("the store does not take down that a refresh begins")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Where the store does not hold the tokens: one that is used up by a refresh waits until it does.
    private func unjournaled(_ session: HeldSession) -> JournalWriting {
        guard authority.usesTokenUp else { return .written(session) }
        return .unavailable(AuthSessionError(.storeUnavailable, underlying: session.unsaved ?? SecureStoreError(.busy)))
    }

    /// Writes down that a refresh came to nothing: the server has surely not carried it out.
    ///
    /// A best effort: left open, the next attempt is only made a little sooner.
    func closeJournal(of old: HeldSession, in begun: Int) async {
        // An earlier one may have been carried out, and this one's failure says nothing of it.
        guard !old.isReplay, old.record.refreshBegunAt != nil else { return }
        var session = old
        (session.record.refreshBegunAt, session.begunAt) = (nil, nil)
        do {
            if session.isRemembered {
                guard let stored = old.stored, let written = try await replace(stored, with: session.record) else {
                    return
                }
                session.stored = written
            }
            guard begun == epoch, let held else { return }
            session.record.user = held.record.user
            self.held = session
        } catch {
            logger.debug("the store does not take down that the refresh came to nothing")
        }
    }

    /// 7. Write: puts new tokens in the place of the ones they came from, and of no others.
    ///
    /// Also where somebody signed out or in meanwhile, as long as the store still holds the old ones: who removes or
    /// replaces the record later finds in it what to give back, and who dies before leaves no session that is dead.
    func write(_ new: HeldSession, replacing old: HeldSession, in begun: Int) async -> TokenWriting {
        guard new.isRemembered else { return .done(new) }
        var (new, expected) = (new, old.stored)
        do {
            for _ in 0..<Self.journalAttempts {
                guard let stored = expected else {
                    // Of a sign-in that has not been written yet: who signed out meanwhile has removed its place.
                    return begun == epoch ? .done(await savedAgain(new)) : .overtaken(isGone: true)
                }
                if let written = try await replace(stored, with: new.record) {
                    new.stored = written
                    new.unsaved = nil
                    return .done(new)
                }
                guard let item = try await store.item(forKey: SessionRecord.key) else {
                    return .overtaken(isGone: true)
                }
                let found = try SessionRecord(item)
                // Still the tokens that were used up, or already the new ones: another process without the lock.
                guard found.tokens.isSame(as: stored.tokens) || found.tokens.isSame(as: new.record.tokens) else {
                    return .overtaken(isGone: !found.isOfSameSignIn(as: new.record))
                }
                expected = StoredItem(item: item, tokens: found.tokens)
            }
            new.unsaved = SecureStoreError(.busy)
        } catch {
            new.unsaved = SecureStoreError(cause: error)
        }
        logger.warning("new tokens could not be written to the store; they live on in memory")
        return .done(new)
    }

    /// Replaces what is known of the store's item; nil where another process was there first.
    private func replace(_ stored: StoredItem, with record: SessionRecord) async throws -> StoredItem? {
        let item = try record.encoded()
        let isWritten = try await write {
            try await $0.replaceItem(forKey: SessionRecord.key, ifEquals: stored.item, with: item)
        }
        return isWritten ? StoredItem(item: item, tokens: record.tokens) : nil
    }
}
