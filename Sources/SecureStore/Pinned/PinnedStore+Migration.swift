// SPDX-License-Identifier: Apache-2.0

internal import AuthCore

extension PinnedStore {
    /// Moves the session to another location, and keeps it there from then on.
    ///
    /// Every item is copied, read back and compared before the new location is recorded. Only then is it removed from
    /// the old location. Items that the new location had before are removed first, because they belong to no session of
    /// this store. But the new location keeps its items if no location is recorded, the old location is empty, and no
    /// removal is pending at either.
    ///
    /// Items with a pending removal are not copied. So after a sign-out by ``removeAll(interaction:)`` there is nothing
    /// to copy, and an app may move away from a location that can't be used any more.
    ///
    /// If a process is killed, the session stays at the old location until the copy is complete, and is at the new one
    /// from then on. The next change, in whatever process, removes the rest at the other location.
    ///
    /// - Parameters:
    ///   - destination: The new location. If the session is there already, nothing is moved.
    ///   - interaction: The policy for prompts to unlock either location.
    /// - Throws: ``SecureStoreError`` of either location, or of the note; `damaged` if an item does not read back as it
    ///   was copied; `unknownLocation` if no location has that name; `busy`; `CancellationError`. The session stays at
    ///   the old location.
    public func migrate(to destination: StoreLocationName, interaction: InteractionPolicy = .never) async throws {
        guard let store = locations[destination] else {
            throw SecureStoreError(.unknownLocation, detail: destination.name)
        }
        try await changing { source, note in
            do {
                try await move(from: source, to: StoreLocation(destination, store), note, interaction)
            } catch {
                // The note lists the destination's items as removals, so this removes the items copied so far.
                await finishRemovals()
                throw error
            }
        }
    }

    private func move(
        from source: StoreLocation,
        to destination: StoreLocation,
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
                // Until the copy is complete, every reader of the note treats the destination's items as gone.
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

    /// Returns the items to be moved.
    private func items(
        at source: StoreLocation,
        _ note: StoreNote,
        _ interaction: InteractionPolicy
    ) async throws -> [StoreKey: SecretBytes] {
        // All items are gone, and that is known even if the location is locked.
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
