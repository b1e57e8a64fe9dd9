import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// 3. Reread: takes what another process wrote.
    func reread(in begun: Int) async -> StoreReading {
        // A sign-in is still being written, or can't be: what the store holds is older.
        guard let known = held, let stored = known.stored, known.isRemembered else { return .unsettled }
        let item: SecretBytes?
        do {
            item = try await store.item(forKey: SessionRecord.key)
        } catch {
            logger.debug("the store can't be read for the refresh")
            // The store holds what is used up already, and only what is in the hand is of use.
            if known.unsaved != nil { return .unsettled }
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
        guard begun == epoch, let now = held else { return .settled(.failure(absence())) }
        // Changed here while it was read: what was read is older.
        guard now.stored?.item == stored.item else { return .unsettled }
        // Gone, as this process is removing it: why, it says itself.
        guard let item else { return ending > 0 ? .unsettled : leave() }
        // The write that follows replaces it, whatever the item's other bytes are.
        if item == stored.item || known.unsaved != nil { return .unsettled }
        do {
            return adopt(try SessionRecord(item), from: item, instead: known)
        } catch {
            logger.warning("the stored session was changed and can't be read (\(error.code))")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Another process signed out, or signed in at another backend, whose tokens are not for this one.
    private func leave() -> StoreReading {
        raiseEpoch()
        held = nil
        publish(.signedOut(.signedOutElsewhere))
        return .settled(.failure(absence()))
    }

    private func adopt(_ record: SessionRecord, from item: SecretBytes, instead known: HeldSession) -> StoreReading {
        guard record.backend.isSame(as: backend) else { return leave() }
        let isSamePerson = record.isOfSameSignIn(as: known.record) || User.isSame(record.user, as: known.record.user)
        // What waits was asked for by somebody who is not signed in any more.
        if !isSamePerson {
            raiseEpoch()
            signIns += 1
        }
        let adopted = holding(record, from: item)
        held = adopted
        let isNew = record.tokens.accessToken != known.record.tokens.accessToken
        if isNew || !isSamePerson {
            pause.clear()
            publish(.signedIn(record.user, .online))
        }
        if !isSamePerson {
            tellSignedOut(because: .signedOutElsewhere)
            tellSignedIn(record.user)
        }
        guard isSamePerson else { return .settled(.failure(AuthSessionError(.notSignedIn))) }
        // Begun by a process that is gone: it is ended here, while the server repeats its answer.
        guard isNew, !isReplayDue(adopted), adopted.deadline.freshness(at: clock.uptime()) != .expired else {
            return .unsettled
        }
        logger.debug("another process has refreshed, generation \(record.generation)")
        return .settled(.success(record.tokens.accessToken))
    }

    /// A session as it is read from the store.
    func holding(_ record: SessionRecord, from item: SecretBytes) -> HeldSession {
        var record = record
        let stored = StoredItem(item: item, tokens: record.tokens)
        // With the API key that this app has now.
        record.backend = backend
        let now = clock.moment()
        return HeldSession(
            record: record,
            deadline: deadline(of: record.tokens.lifetime, at: now),
            isDeadlineRead: true,
            stored: stored,
            isRemembered: true,
            begunAt: record.refreshBegunAt.map { now.uptime(of: $0) },
            repeatedAt: record.repeatedAt.map { now.uptime(of: $0) }
        )
    }

    /// When tokens are due and end, a part of the jitter sooner.
    func deadline(of lifetime: TokenLifetime, at moment: Moment) -> TokenDeadline {
        TokenDeadline(lifetime, at: moment, window: authority.refreshWindow, early: randomFraction())
    }
}
