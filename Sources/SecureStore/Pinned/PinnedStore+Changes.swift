// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The changes of a pinned store, each made under the lock of the note.
///
/// So no other change, in any process, comes between the steps of one. The order of the steps allows a process to be
/// killed between any two:
///
/// - A new session: the note first, then the item. Killed in between, the note names a location that has no item, which
///   does no harm. In the reverse order, the item could be in a location that the next version's initial location
///   hides.
/// - A removal that can't be made: the note alone. The removal takes effect once the note is written.
/// - A removal that is finished: the items first, then the note. Killed in between, the removal is repeated on items
///   that are gone. It can't remove a newer item, because of the next rule.
/// - A write over a pending removal: the removal is finished and deleted from the note first, and only then is the item
///   written. If the removal can't be finished, the item is not written.
extension PinnedStore {
    /// Writes an item to the session's location, after finishing a pending removal of it.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` of the location; that of the note (`damaged`, `newerFormat`, `unknownLocation`,
    ///   `denied`, `full`, `failed`); `busy` if another process changes the store for longer than the lock's timeout;
    ///   `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try item.checkItemSize()
        _ = try await writing(key) { store in
            try await store.setItem(item, forKey: key)
            return true
        }
    }

    /// Writes an item only if the present one still is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence. Secret.
    ///   - item: The new item. Secret.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        guard let item else {
            return try await changing { location, note in
                guard !note.isRemoved(key, at: location.name) else { return true }
                return try await location.store.replaceItem(forKey: key, ifEquals: expected, with: nil)
            }
        }
        try item.checkItemSize()
        return try await writing(key) { store in
            try await store.replaceItem(forKey: key, ifEquals: expected, with: item)
        }
    }

    /// Removes an item, or records a pending removal if the item's location can't be used now.
    ///
    /// Either way the item is treated as gone when this returns.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` of the note alone, if the removal can neither be made nor recorded; `busy` as a
    ///   write does; `CancellationError`, after which the removal may have been made.
    public func removeItem(forKey key: StoreKey) async throws {
        try await changing { location, note in
            var note = note
            if try await isDone(location, { try await $0.removeItem(forKey: key) }) {
                note.removals[location.name] = note.removals[location.name]?.removing(key)
            } else {
                note.removals[location.name] = (note.removals[location.name] ?? .items([])).adding(key)
            }
            try await update(note)
        }
    }

    public func unlock(timeout: Duration) async throws {
        try await location(by: file.read()).store.unlock(timeout: timeout)
    }

    /// Checks whether the session's location can be used, and whether the note can be read and locked.
    ///
    /// Chooses no location.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func probe() async throws {
        try await changing { location, _ in try await location.store.probe() }
    }

    // MARK: Steps

    /// Runs work under the lock, and afterwards finishes the pending removals that it can.
    func changing<Value>(_ work: (StoreLocation, StoreNote) async throws -> Value) async throws -> Value {
        let value = try await file.lock.withLock(timeout: lockTimeout) {
            let note = try file.read()
            return try await work(try location(by: note), note)
        }
        // After the work and outside its lock, because a slow location must not delay a write of new tokens.
        await finishRemovalsIfAny()
        return value
    }

    /// Runs a write at the session's location, which the first write chooses.
    private func writing(
        _ key: StoreKey,
        _ work: (any SecureStore) async throws -> Bool
    ) async throws -> Bool {
        try await changing { location, note in
            var note = note
            if note.isRemoved(key, at: location.name) {
                try await note.removals[location.name]?.perform(on: location.store)
                note.removals[location.name] = nil
                try await update(note)
                noteFinished(location.name)
            }
            guard note.home == nil else {
                let isWritten = try await work(location.store)
                // After the write: no failure of it must keep tokens from being saved.
                await file.completeNames()
                return isWritten
            }
            let before = note
            note.home = location.name
            try await update(note)
            do {
                let isWritten = try await work(location.store)
                if !isWritten { try await update(before) }
                return isWritten
            } catch let error as SecureStoreError where !error.isOutcomeUnknown {
                // No item was written, so no session lives there, and the app may yet name another location. If the
                // note can't be restored, the location stays chosen, and the app can undo that by a migration.
                try? await update(before)
                throw error
            }
        }
    }

    /// Forgets the session's location if it has no item of a key any more.
    ///
    /// For use after a sign-out: the next session begins at the app's initial location. A session that began meanwhile
    /// keeps its location.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func forgetLocation(ifAbsent key: StoreKey) async throws {
        try await changing { location, note in
            guard note.home != nil else { return }
            if !note.isRemoved(key, at: location.name) {
                guard try await location.store.item(forKey: key) == nil else { return }
            }
            var note = note
            note.home = nil
            try await update(note)
        }
    }

    /// Makes a removal; returns false if the location can't be used now.
    private func isDone(_ location: StoreLocation, _ removal: (any SecureStore) async throws -> Void) async throws
        -> Bool
    {
        do {
            try await removal(location.store)
            return true
        } catch let error as SecureStoreError where error.isUnavailable {
            // The location is skipped when pending removals are finished next, because the caller has waited long
            // enough.
            if error.code == .timedOut { skip(location.name) }
            return false
        }
    }

    /// Writes a note if it differs from the stored one.
    func update(_ note: StoreNote) async throws {
        guard try file.read() != note else { return }
        try await file.write(note)
    }

    /// Finishes pending removals if there are any and the lock is free.
    ///
    /// Another holder of the lock does the same.
    ///
    /// - Parameter only: The one location to look at; nil for all.
    func finishRemovalsIfAny(at only: StoreLocationName? = nil) async {
        guard let removals = try? file.read().removals else { return }
        guard removals.keys.contains(where: { isDue($0, at: only) }) else { return }
        _ = try? await file.lock.withLockIfFree { await finishRemovals(at: only) }
    }

    private func isDue(_ name: StoreLocationName, at only: StoreLocationName?) -> Bool {
        locations[name] != nil && (only == nil || only == name) && !isSkipped(name)
    }

    /// Finishes pending removals, and deletes them from the note.
    ///
    /// Runs under the lock and never prompts. No caller waits for the result, so a removal that fails is tried again
    /// after the next call.
    ///
    /// - Parameter only: The one location to look at; nil for all.
    func finishRemovals(at only: StoreLocationName? = nil) async {
        guard let removals = try? file.read().removals else { return }
        for (name, removal) in removals {
            guard let store = locations[name], isDue(name, at: only) else { continue }
            do {
                try await removal.perform(on: store)
                var note = try file.read()
                note.removals[name] = nil
                try await update(note)
                noteFinished(name)
            } catch {
                // The removal is still pending.
                if (error as? SecureStoreError)?.code == .timedOut { skip(name) }
            }
        }
    }
}
