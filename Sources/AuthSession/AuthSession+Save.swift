import AuthCore
import Logging
import SecureStore

extension AuthSession {
    /// Tries again to write tokens whose write failed.
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
            try await write { store in
                // Fenced where it is written: what an older epoch wants to write is dropped.
                guard await self.epoch == begun else { return }
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
}
