import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Waits for a sign-in that is being written and for a refresh that is under way, and tries again to write tokens whose
    /// write failed.
    ///
    /// Waits also for the ID token that came with the refresh to be verified, for five seconds at most.
    ///
    /// To be called before a process ends: one that ends in the middle of a refresh throws the new tokens away. A refresh
    /// that another process keeps from beginning, and that no caller waits for, is called off.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`) where it fails again; the tokens still live on in memory; `CancellationError`.
    public func saveAgain() async throws {
        try await saveAgain(waitingForFlight: true)
        await idTokenChecked()
    }

    /// Tries again to write tokens whose write failed.
    ///
    /// - Parameter waitingForFlight: Whether to wait first for a refresh that is under way, which writes newer tokens.
    /// - Throws: As ``saveAgain()``.
    func saveAgain(waitingForFlight: Bool) async throws {
        // A sign-in that is being written, say.
        if waitingForFlight { await earlierWrites() }
        while waitingForFlight, let flight, await settle(flight) { try Task.checkCancellation() }
        guard let unsaved = held, unsaved.unsaved != nil else { return }
        let begun = epoch
        let writing = await write(unsaved, replacing: unsaved, in: begun)
        guard begun == epoch, held?.record.tokens.isSame(as: unsaved.record.tokens) == true else { return }
        switch writing {
        case .done(let saved):
            held?.noteWrite(saved)
            if let error = saved.unsaved { throw AuthSessionError(.storeUnavailable, underlying: error) }
        case .overtaken:
            // What the store holds now counts; a session that is gone there is gone here.
            held?.unsaved = nil
            _ = await reread(in: begun)
        }
    }

    /// Waits for a refresh, or calls it off if it waits for another process itself.
    ///
    /// - Returns: False if it goes on behind the caller: the answer to an earlier one may be lost, and while this process
    ///   lives it is to be asked for again.
    private func settle(_ flight: RefreshFlight) async -> Bool {
        do {
            _ = try await flight.promptValue()
        } catch let error as AuthSessionError where error.code == .busy && flight.isIdle {
            if let held, isReplayDue(held) { return false }
            if flight.callOff(error), self.flight === flight { self.flight = nil }
        } catch {
            // It has begun, or is over, or the caller is cancelled and sees that next. What it fails with, its callers are
            // told.
            _ = try? await flight.value()
        }
        return true
    }

    /// Tries again and again to write what is in memory alone, with growing pauses.
    ///
    /// Ends when it is written, when the session ends, and with this object.
    func keepSaving() {
        guard saving == nil else { return }
        let clock = clock
        saving = Task { [weak self] in
            var wait = Duration.seconds(1)
            repeat {
                // Nobody cancels the session's own task.
                try? await clock.sleep(wait)
                wait = min(wait * 2, .seconds(60))
            } while await self?.isStillUnsaved() ?? false
        }
    }

    /// Tries once more; false where nothing is left to write, and the next who has something begins anew.
    private func isStillUnsaved() async -> Bool {
        // What it fails with is what ``unsaved`` says.
        try? await saveAgain(waitingForFlight: true)
        // In one step: whoever fails to write after it finds nobody at it, and begins.
        if held?.unsaved == nil { saving = nil }
        return saving != nil
    }

    /// The session as it stands after the attempt to write it first, and the record whose place it took.
    ///
    /// Takes the place of what the store holds: the person has just signed in. Is written even where that person signed
    /// out meanwhile: the removal follows, and what was there before is gone in any case.
    func saved(_ session: HeldSession) async -> (session: HeldSession, replaced: SessionRecord?) {
        guard session.isRemembered else { return (session, nil) }
        var session = session
        var replaced: SessionRecord?
        do {
            let item = try session.record.encoded()
            replaced = try await write { [logger] store in
                let found = try await Self.keepUnreadableAside(in: store, logger)
                try await store.setItem(item, forKey: SessionRecord.key)
                return found
            }
            session.stored = StoredItem(item: item, tokens: session.record.tokens)
            (session.unsaved, session.replaced) = (nil, .nothing)
        } catch {
            session.unsaved = SecureStoreError(cause: error)
            logger.warning("the session could not be written to the store; it lives on in memory")
        }
        return (session, replaced)
    }

    /// The session after a later attempt to write it, where the one at its sign-in failed.
    func savedAgain(_ session: HeldSession) async -> HeldSession {
        let saved = await saved(session)
        guard saved.session.unsaved == nil else { return saved.session }
        // An attempt that seemed to fail may have written it all the same.
        let found = saved.replaced.flatMap { $0.signIn == session.record.signIn ? nil : $0 }
        giveBackReplaced(found, session.replaced.record)
        return saved.session
    }

    /// Keeps an item aside that can't be read, before a new session takes its place.
    ///
    /// One that the store takes no copy of is lost to the sign-in, for else nobody could ever sign in again. Every record
    /// that a version of this library has written fits.
    ///
    /// - Parameters:
    ///   - store: Where the session is kept.
    ///   - logger: Told what is lost.
    /// - Returns: The record that is there, where it can be read.
    /// - Throws: `SecureStoreError`; `CancellationError`.
    static func keepUnreadableAside(in store: any SecureStore, _ logger: Logger) async throws -> SessionRecord? {
        guard let item = try await store.item(forKey: SessionRecord.key) else { return nil }
        if let record = try? SessionRecord(item) { return record }
        do {
            try await store.setItem(item, forKey: SessionRecord.unreadableKey)
        } catch let error as SecureStoreError where [.itemTooLarge, .full].contains(error.code) {
            logger.warning(
                "what can't be read of \(item.count) bytes is too large to be kept aside; the sign-in replaces it"
            )
        }
        return nil
    }
}
