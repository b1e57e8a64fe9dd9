import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Waits for a refresh that is under way, and tries again to write tokens whose write failed.
    ///
    /// To be called before a process ends: one that ends in the middle of a refresh throws the new tokens away.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`) where it fails again; the tokens still live on in memory; `CancellationError`.
    public func saveAgain() async throws {
        // A refresh under way writes newer tokens, which older ones must not be written over.
        while let flight {
            _ = try? await flight.value()
            try Task.checkCancellation()
        }
        guard let unsaved = held, unsaved.unsaved != nil else { return }
        let begun = epoch
        let writing = await write(unsaved, replacing: unsaved, in: begun)
        guard begun == epoch, held?.record == unsaved.record else { return }
        switch writing {
        case .done(let saved):
            held = saved
            if let error = saved.unsaved { throw AuthSessionError(.storeUnavailable, underlying: error) }
        case .overtaken:
            // What the store holds now counts; a session that is gone there is gone here.
            held?.unsaved = nil
            _ = await reread(in: begun)
        }
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
                do { try await clock.sleep(wait) } catch { return }
                wait = min(wait * 2, .seconds(60))
            } while await self?.isStillUnsaved() ?? false
        }
    }

    /// Tries once more; false where nothing is left to write.
    private func isStillUnsaved() async -> Bool {
        // What it fails with is what ``unsaved`` says.
        try? await saveAgain()
        if held?.unsaved != nil { return true }
        saving = nil
        return false
    }

    /// The session as it stands after the attempt to write it first.
    ///
    /// Takes the place of what the store holds: the person has just signed in.
    func saved(_ session: HeldSession, in begun: Int) async -> HeldSession {
        guard session.isRemembered else { return session }
        var session = session
        do {
            let item = try session.record.encoded()
            let generation = session.record.generation
            try await write { store in
                // Fenced where it is written: what is of an older epoch, or older than what is held, is dropped.
                guard await self.mayWrite(generation: generation, in: begun) else { return }
                try await Self.keepUnreadableAside(in: store)
                try await store.setItem(item, forKey: SessionRecord.key)
            }
            session.stored = StoredItem(item: item, tokens: session.record.tokens)
            session.unsaved = nil
        } catch {
            session.unsaved = (error as? SecureStoreError) ?? SecureStoreError(.failed)
            logger.warning("the session could not be written to the store; it lives on in memory")
        }
        return session
    }

    private func mayWrite(generation: Int, in begun: Int) -> Bool {
        epoch == begun && (held?.record.generation ?? 0) <= generation
    }

    /// Keeps an item aside that can't be read, before a new session takes its place.
    static func keepUnreadableAside(in store: any SecureStore) async throws {
        guard let item = try await store.item(forKey: SessionRecord.key) else { return }
        do {
            _ = try SessionRecord(item)
        } catch {
            try await store.setItem(item, forKey: SessionRecord.unreadableKey)
        }
    }
}
