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
        let saved = await saved(unsaved, in: begun)
        guard begun == epoch, held?.record == unsaved.record else { return }
        held = saved
        if let error = saved.unsaved { throw AuthSessionError(.storeUnavailable, underlying: error) }
    }

    /// The session as it stands after the attempt to write it.
    func saved(_ session: HeldSession, in begun: Int) async -> HeldSession {
        guard session.isRemembered else { return session }
        var session = session
        do {
            let item = try session.record.encoded()
            let isFirst = session.stored == nil
            let generation = session.record.generation
            try await write { store in
                // Fenced where it is written: what is of an older epoch, or older than what is held, is dropped.
                guard await self.mayWrite(generation: generation, in: begun) else { return }
                if isFirst { try await Self.keepUnreadableAside(in: store) }
                try await store.setItem(item, forKey: SessionRecord.key)
            }
            session.stored = item
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
