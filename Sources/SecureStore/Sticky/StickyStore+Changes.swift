public import AuthCore

/// Changes of a sticky store, each made under the lock of the note.
///
/// So none comes between the steps of another one, in any process. The steps are ordered such that a process may be
/// killed between any two:
///
/// - A new session: the note first, then the item. Killed in between, the note names a place that has nothing, which
///   costs nothing. The other way round the item would lie in a place that the next version's initial one hides.
/// - A removal that can't be made: the note alone. It counts once it is written.
/// - A removal that is finished: the items first, then the note. Killed in between it is finished again, by a removal
///   of what is not there. It can't meet a newer item, because of:
/// - A write over a removal that is pending: the removal is finished and struck out of the note first, and only then is
///   the item written. Where that is not possible there is no write.
extension StickyStore {
    /// Writes an item to the session's place, after finishing a removal of it that is remembered.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` of the place; that of the note (`damaged`, `newerFormat`, `unknownPlace`,
    ///   `denied`, `full`, `failed`); `busy` where another process changes the store for longer than 30 seconds;
    ///   `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        _ = try await writing(key, interaction) { store in
            try await store.setItem(item, forKey: key, interaction: interaction)
            return true
        }
    }

    /// Writes an item only where the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret.
    ///   - item: What to keep. Secret.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return try await writing(key, interaction) { store in
            try await store.replaceItem(forKey: key, ifEquals: expected, with: item, interaction: interaction)
        }
    }

    /// Removes an item, or remembers to where its place can't be used now.
    ///
    /// Either way it is treated as gone when this returns.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` of the note alone, where the removal can neither be made nor remembered; `busy`
    ///   as a write does; `CancellationError`, after which the removal may have been made.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await changing { place, note in
            var note = note
            if try await isDone(place, { try await $0.removeItem(forKey: key, interaction: interaction) }) {
                note.removals[place.name] = note.removals[place.name]?.removing(key)
            } else {
                note.removals[place.name] = (note.removals[place.name] ?? .items([])).adding(key)
            }
            try await update(note)
        }
    }

    /// Removes an item only where it still is the expected one; never remembered.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item is gone; true too where its removal is remembered.
    /// - Throws: ``SecureStoreError`` of the place, where the items can't be compared; that of the note; `busy`;
    ///   `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await changing { place, note in
            guard !note.isRemoved(key, at: place.name) else { return true }
            return try await place.store.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        }
    }

    /// Removes all items, or remembers to, and forgets where the session lived.
    ///
    /// The next one begins at the app's initial place.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` of the note alone, where the removal can neither be made nor remembered; `busy`
    ///   as a write does; `CancellationError`, after which the removal may have been made.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await changing { place, note in
            var note = note
            let isGone = try await isDone(place) { try await $0.removeAll(interaction: interaction) }
            note.removals[place.name] = isGone ? nil : .all
            note.home = nil
            try await update(note)
        }
    }

    /// Finds out whether the session's place can be used.
    ///
    /// And whether the note can be read and locked. Chooses no place.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        try await changing { place, _ in try await place.store.probe(interaction: interaction) }
    }

    // MARK: Steps

    /// Works under the lock, and afterwards finishes what removals it can.
    func changing<Value>(_ work: (Place, StoreNote) async throws -> Value) async throws -> Value {
        let value = try await file.lock.withLock(waiting: patience) {
            let note = try file.read()
            return try await work(try place(by: note), note)
        }
        // Behind the work and its lock: a place that answers late must not hold up anybody's new tokens.
        await finishRemovalsIfAny()
        return value
    }

    /// Writes at the session's place, which from then on it is.
    private func writing(
        _ key: StoreKey,
        _ interaction: InteractionPolicy,
        _ work: (any SecureStore) async throws -> Bool
    ) async throws -> Bool {
        try await changing { place, note in
            var note = note
            if note.isRemoved(key, at: place.name) {
                try await note.removals[place.name]?.perform(on: place.store, interaction: interaction)
                note.removals[place.name] = nil
                try await update(note)
                noteFinished(place.name)
            }
            guard note.home == nil else { return try await work(place.store) }
            let before = note
            note.home = place.name
            try await update(note)
            do {
                let isWritten = try await work(place.store)
                if !isWritten { try await update(before) }
                return isWritten
            } catch let error as SecureStoreError where !error.isOutcomeUnknown {
                // Nothing was written, so nothing lives there, and the app may yet name another place. Where that can't
                // be written down the place stays chosen, which the app can undo by a relocation.
                try? await update(before)
                throw error
            }
        }
    }

    /// Forgets where the session lived, where nothing lives there any more.
    ///
    /// For after a sign-out: the next session begins at the app's initial place. A session that began meanwhile stays.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func forgetPlaceIfEmpty() async throws {
        try await changing { place, note in
            guard note.home != nil, try await place.store.keys().isEmpty else { return }
            var note = note
            note.home = nil
            try await update(note)
        }
    }

    /// Whether a removal was made; false where the place can't be used now.
    private func isDone(_ place: Place, _ removal: (any SecureStore) async throws -> Void) async throws -> Bool {
        do {
            try await removal(place.store)
            return true
        } catch let error as SecureStoreError where error.isUnavailable {
            // Not tried again at once, when what is pending is finished: the caller has waited long enough.
            if error.code == .timedOut { rest(place.name) }
            return false
        }
    }

    /// Writes a note where it says anything new.
    func update(_ note: StoreNote) async throws {
        guard try file.read() != note else { return }
        try await file.write(note)
    }

    /// Does what removals are still to be done, where there are any and nobody has the lock: who has it does the same.
    ///
    /// - Parameter only: The one place to look at; nil for all.
    func finishRemovalsIfAny(at only: PlaceName? = nil) async {
        guard let removals = try? file.read().removals else { return }
        guard removals.keys.contains(where: { isDue($0, at: only) }) else { return }
        _ = try? await file.lock.withLockIfFree { await finishRemovals(at: only) }
    }

    private func isDue(_ name: PlaceName, at only: PlaceName?) -> Bool {
        places[name] != nil && (only == nil || only == name) && !hangs(name)
    }

    /// Does what removals are still to be done, and strikes them out of the note.
    ///
    /// Under the lock, without a prompt. Nobody waits for them, so what can't be done now is tried again after the next
    /// call.
    ///
    /// - Parameter only: The one place to look at; nil for all.
    func finishRemovals(at only: PlaceName? = nil) async {
        guard let removals = try? file.read().removals else { return }
        for (name, removal) in removals {
            guard let store = places[name], isDue(name, at: only) else { continue }
            do {
                try await removal.perform(on: store, interaction: .never)
                var note = try file.read()
                note.removals[name] = nil
                try await update(note)
                noteFinished(name)
            } catch {
                // Still remembered.
                if (error as? SecureStoreError)?.code == .timedOut { rest(name) }
            }
        }
    }
}
