internal import AuthCore

extension StickyStore {
    /// Moves the session to another place, where it lives from then on.
    ///
    /// Every item is copied, read back and compared before the new place counts, and removed from the old one only
    /// then. What lay at the new place before is removed first, for it belonged to no session of this store; but where
    /// nothing is known to live anywhere and the old place is empty, the new one is taken as it is. Items whose removal
    /// is remembered are not copied. So a session that was signed out by ``removeAll(interaction:)`` leaves nothing to
    /// copy, and an app may then move away from a place that can't be used any more.
    ///
    /// A process that is killed leaves the session at the old place until the copy is complete, and at the new one from
    /// then on; what remains at the other one is removed by the next change, by whatever process.
    ///
    /// - Parameters:
    ///   - destination: Where to. Nothing happens where it is there already.
    ///   - interaction: Whether the person may be asked, to unlock either place.
    /// - Throws: ``SecureStoreError`` of either place, or the note, or `damaged` where what was read back is not what
    ///   was copied; `unknownPlace` where none has that name; `busy`; `CancellationError`. The session is where it was.
    public func relocate(to destination: PlaceName, interaction: InteractionPolicy = .never) async throws {
        guard let store = places[destination] else {
            throw SecureStoreError(.unknownPlace, detail: destination.name)
        }
        try await changing { source, note in
            do {
                try await move(from: source, to: Place(destination, store), note, interaction)
            } catch {
                // What has been copied is to be removed, by the note.
                await finishRemovals()
                throw error
            }
        }
    }

    private func move(
        from source: Place,
        to destination: Place,
        _ before: StoreNote,
        _ interaction: InteractionPolicy
    ) async throws {
        var note = before
        if source.name != destination.name {
            let items = try await items(at: source, note, interaction)
            let keys = try await destination.store.keys(interaction: interaction)
            let isAdopted = note.home == nil && items.isEmpty && note.removals[source.name] == nil
            if !isAdopted || note.removals[destination.name] != nil {
                note.home = note.home ?? (items.isEmpty ? nil : source.name)
                // From here to the end of the copy the destination is garbage to whoever reads the note.
                note.removals[destination.name] = .all
                try await update(note)
                try await copy(items, to: destination.store, replacing: keys, interaction)
                note.removals[destination.name] = nil
                note.removals[source.name] = .all
            }
        }
        note.home = destination.name
        try await update(note)
    }

    /// What is to be moved.
    private func items(
        at source: Place,
        _ note: StoreNote,
        _ interaction: InteractionPolicy
    ) async throws -> [StoreKey: SecretBytes] {
        // Nothing, and that is known though the place may be locked.
        if note.removals[source.name] == .all { return [:] }
        var items: [StoreKey: SecretBytes] = [:]
        for key in try await source.store.keys(interaction: interaction) where !note.isRemoved(key, at: source.name) {
            items[key] = try await source.store.item(forKey: key, interaction: interaction)
        }
        return items
    }

    private func copy(
        _ items: [StoreKey: SecretBytes],
        to store: any SecureStore,
        replacing present: Set<StoreKey>,
        _ interaction: InteractionPolicy
    ) async throws {
        if !present.isEmpty { try await store.removeAll(interaction: interaction) }
        for (key, item) in items {
            try await store.setItem(item, forKey: key, interaction: interaction)
            guard try await store.item(forKey: key, interaction: interaction) == item else {
                throw SecureStoreError(.damaged, detail: "read back")
            }
        }
        guard try await store.keys(interaction: interaction) == Set(items.keys) else {
            throw SecureStoreError(.damaged, detail: "read back")
        }
    }
}
