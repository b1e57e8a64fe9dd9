// SPDX-License-Identifier: Apache-2.0

internal import AuthCore
import Synchronization

/// The steps of a migration, all under its lock.
///
/// A process may be killed between any two of these steps. The next read then continues as follows:
///
/// 1. The value is written to the target if the target has no item. Killed before: nothing happened. Killed after: the
///    target's item is used from now on. If the old value equals it, the old value is a leftover and is removed. If
///    the item was changed meanwhile, the two may differ. The source then compares their origins, or the old value stays
///    until the sign-out, because it can't be told from a value that an old app wrote itself.
/// 2. The copy is read back and compared.
/// 3. The marker is written. From here on the old value is known by its hash, whatever happens to the item.
/// 4. The old value is removed, if it still is the copied one. Killed during the removal of a value of several items:
///    the rest is removed by the marker.
/// 5. The marker is removed. Killed before: nothing is left to remove at the locations that it names.
extension MigratingStore {
    /// The number of attempts at a step that concurrent changes make invalid.
    private static let attempts = 3

    // MARK: Copying

    /// Returns the target's item, or moves the first older value to the target and returns that.
    func migrate() async throws -> SecretBytes? {
        for _ in 0..<Self.attempts {
            if let item = try await target.item(forKey: key) {
                await cleanUp()
                return item
            }
            let marker = await finish(try await marker(), keeping: nil)
            guard let (source, value) = try await firstValue(marker) else { return nil }
            let item = try source.converted(value)
            guard try await target.replaceItem(forKey: key, ifEquals: nil, with: item) else {
                continue
            }
            guard try await target.item(forKey: key) == item else {
                throw SecureStoreError(.damaged, detail: "read back")
            }
            // The item is written and verified. A leftover that can't be removed now is removed later.
            await clear(item, adding: marker)
            return item
        }
        throw SecureStoreError(.busy, detail: "migration")
    }

    /// Returns the first value in the order of the sources, with its location.
    ///
    /// A location that can't be read ends the search with its error, because it may have that value.
    private func firstValue(_ marker: MigrationMarker) async throws -> (Source, SecretBytes)? {
        for source in sources where marker.entries[source.legacyItem.name] != .discard {
            guard let value = try await source.legacyItem.item() else { continue }
            // The marker was written while the value was in the target, so its later removal from there was intended.
            guard !marker.names(value, at: source.legacyItem.name) else { continue }
            return (source, value)
        }
        return nil
    }

    // MARK: Clearing

    /// Removes from the older locations the value that is now in the target.
    private func clear(_ item: SecretBytes, adding earlier: MigrationMarker) async {
        var marker = earlier
        let copies = await copies(of: item)
        guard !copies.isEmpty else { return }
        for (name, value) in copies { marker.entries[name] = .copied(MigrationMarker.hash(value)) }
        do {
            try await target.setItem(marker.item, forKey: markerKey)
        } catch {
            // The next read finds the leftovers, because they equal the item.
            return
        }
        _ = await finish(marker, keeping: item)
    }

    /// Removes the leftovers of an earlier migration or removal.
    func cleanUp() async {
        // No failure here is reported. The next process tries again.
        guard let item = try? await target.item(forKey: key), let marker = try? await marker() else { return }
        await clear(item, adding: await finish(marker, keeping: item))
    }

    /// Returns the values of older locations that are copies of the given item.
    private func copies(of item: SecretBytes) async -> [StoreLocationName: SecretBytes] {
        var copies: [StoreLocationName: SecretBytes] = [:]
        for source in sources {
            guard let value = try? await source.legacyItem.item(), (try? source.isCopy(value, of: item)) == true else {
                continue
            }
            copies[source.legacyItem.name] = value
        }
        return copies
    }

    /// Removes the values that the marker names, and deletes their entries.
    ///
    /// - Returns: The entries that are left.
    private func finish(_ marker: MigrationMarker, keeping item: SecretBytes?) async -> MigrationMarker {
        var left = marker
        for (name, entry) in marker.entries {
            guard let location = legacyItem(name),
                (try? await removeValue(of: entry, at: location, keeping: item)) == true
            else {
                continue
            }
            left.entries[name] = nil
        }
        // If this fails, the marker names values that are gone, and there is nothing to remove.
        if left != marker { try? await write(left) }
        return left
    }

    /// Removes the value of a marker's entry, and returns whether nothing is left to remove at the location.
    private func removeValue(
        of entry: MigrationMarker.Entry,
        at location: any LegacyItemSource,
        keeping item: SecretBytes?
    ) async throws -> Bool {
        switch entry {
        case .copied(let hash):
            guard let value = try await location.item() else {
                try await location.removeRemainder()
                return true
            }
            // A value that has changed since is not the copied one, and stays.
            guard hash == MigrationMarker.hash(value) else { return true }
            return try await remove(value, at: location, keeping: item)
        case .discard:
            return try await removingCopies(at: location) {
                guard let value = try await location.item() else { return true }
                return try await remove(value, at: location, keeping: item)
            }
        }
    }

    /// Removes a value from an older location, and leaves the target's item as it is.
    ///
    /// An app that names the target itself as an older location, by mistake, would lose its session. So the item that
    /// must stay is then written back.
    private func remove(_ value: SecretBytes, at location: any LegacyItemSource, keeping item: SecretBytes?)
        async throws -> Bool
    {
        let isGone = try await location.removeItem(ifEquals: value)
        guard isGone, let item, try await target.item(forKey: key) == nil else { return isGone }
        _ = try await target.replaceItem(forKey: key, ifEquals: nil, with: item)
        return isGone
    }

    // MARK: Removing

    /// Removes every older value, and records the locations that could not be reached.
    ///
    /// After this, the target's item can be removed and no older value replaces it.
    ///
    /// - Returns: Whether nothing is left at the older locations, so that there is no marker.
    /// - Throws: ``SecureStoreError`` of the target, if the marker can't be written or removed; `CancellationError`.
    func removeLegacyValues() async throws -> Bool {
        var marker = MigrationMarker()
        for source in sources {
            do {
                guard try await !empty(source.legacyItem) else { continue }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // The location is unreachable or damaged. The marker prevents that its value is migrated later.
            }
            marker.entries[source.legacyItem.name] = .discard
        }
        search.withLock { $0 = nil }
        try await write(marker)
        return marker.entries.isEmpty
    }

    /// Removes a location's value, whatever it is; returns false if another program keeps writing it.
    private func empty(_ location: any LegacyItemSource) async throws -> Bool {
        try await removingCopies(at: location) {
            for _ in 0..<Self.attempts {
                guard let value = try await location.item() else { return true }
                if try await location.removeItem(ifEquals: value) { return true }
            }
            return false
        }
    }

    /// Removes a location's value and its copies, each even if the removal of the other fails.
    private func removingCopies(at location: any LegacyItemSource, _ removal: () async throws -> Bool) async throws
        -> Bool
    {
        let isGone: Bool
        do {
            isGone = try await removal()
        } catch {
            try? await location.removeCopies()
            throw error
        }
        try await location.removeCopies()
        return isGone
    }

    // MARK: The marker

    func marker() async throws -> MigrationMarker {
        guard let item = try await target.item(forKey: markerKey) else {
            return MigrationMarker()
        }
        return try MigrationMarker(item)
    }

    private func write(_ marker: MigrationMarker) async throws {
        if marker.entries.isEmpty {
            try await target.removeItem(forKey: markerKey)
        } else {
            try await target.setItem(marker.item, forKey: markerKey)
        }
    }

    private func legacyItem(_ name: StoreLocationName) -> (any LegacyItemSource)? {
        sources.first { $0.legacyItem.name == name }?.legacyItem
    }
}
