internal import AuthCore
import Synchronization

/// The steps of a migration, all under its lock.
///
/// A process may be killed between any two of these, and this is what the next read makes of it:
///
/// 1. The value is written to the target where nothing is. Killed before: nothing happened. Killed behind it: the
///    target's item counts, and the old value is equal to it, so it is a leftover and removed; where the item was
///    refreshed meanwhile it is not equal any more and stays until the sign-out, for nothing tells it from an old app's
///    own value.
/// 2. The copy is read back and compared.
/// 3. The marker is written. From here on the old value is known by its hash, whatever becomes of the item.
/// 4. The old value is removed, where it still is what was copied.
/// 5. The marker is removed. Killed before: there is nothing left to remove where it says.
extension MigratingStore {
    /// How often a step is begun again because what it stood on was changed meanwhile.
    private static let attempts = 3

    // MARK: Copying

    /// The target's item, or the first value of the older places, which then is the target's item.
    func migrate(_ interaction: InteractionPolicy) async throws -> SecretBytes? {
        for _ in 0..<Self.attempts {
            if let item = try await target.item(forKey: key, interaction: interaction) {
                await tidy()
                return item
            }
            let marker = await finish(try await marker(interaction), keeping: nil)
            guard let (source, value) = try await firstValue(marker) else { return nil }
            let item = try source.converted(value)
            guard try await target.replaceItem(forKey: key, ifEquals: nil, with: item, interaction: interaction) else {
                continue
            }
            guard try await target.item(forKey: key, interaction: interaction) == item else {
                throw SecureStoreError(.damaged, detail: "read back")
            }
            // The item is here and sound. What can't be removed now is removed later.
            await clear(item, adding: marker)
            return item
        }
        throw SecureStoreError(.busy, detail: "migration")
    }

    /// The value that counts, with its place.
    ///
    /// A place that can't say ends the search: it may have the value that counts.
    private func firstValue(_ marker: MigrationMarker) async throws -> (Source, SecretBytes)? {
        for source in sources where marker.entries[source.place.name] != .discard {
            guard let value = try await source.place.item() else { continue }
            // The marker was written when the value was in the target: who removed it from there meant it.
            guard !marker.names(value, at: source.place.name) else { continue }
            return (source, value)
        }
        return nil
    }

    // MARK: Clearing

    /// Removes from the older places what is in the target now.
    private func clear(_ item: SecretBytes, adding earlier: MigrationMarker) async {
        var marker = earlier
        for (name, value) in await copies(of: item) { marker.entries[name] = .copied(MigrationMarker.hash(value)) }
        do {
            try await target.setItem(marker.item, forKey: markerKey)
        } catch {
            // The next read finds the leftovers by their being equal to the item.
            return
        }
        _ = await finish(marker, keeping: item)
    }

    /// Looks for what an earlier migration, or removal, left behind.
    func tidy() async {
        isTidied.withLock { $0 = true }
        // Nothing here is worth an error: what can't be done is tried by the next process.
        guard let item = try? await target.item(forKey: key), let marker = try? await marker() else { return }
        _ = await finish(marker, keeping: item)
        for (name, value) in await copies(of: item) {
            guard let place = place(name) else { continue }
            _ = try? await remove(value, at: place, keeping: item)
        }
    }

    /// The values of older places that are the given item.
    private func copies(of item: SecretBytes) async -> [PlaceName: SecretBytes] {
        var copies: [PlaceName: SecretBytes] = [:]
        for source in sources {
            guard let value = try? await source.place.item(), (try? source.converted(value)) == item else { continue }
            copies[source.place.name] = value
        }
        return copies
    }

    /// Removes what the marker names, and strikes it out.
    ///
    /// - Returns: What is left to do.
    private func finish(_ marker: MigrationMarker, keeping item: SecretBytes?) async -> MigrationMarker {
        var left = marker
        for (name, entry) in marker.entries {
            guard let place = place(name), (try? await isGone(entry, at: place, keeping: item)) == true else {
                continue
            }
            left.entries[name] = nil
        }
        // Where this fails the marker names what is gone, which is nothing to remove.
        if left != marker { try? await write(left) }
        return left
    }

    /// Whether nothing is left to remove at a place.
    private func isGone(
        _ entry: MigrationMarker.Entry,
        at place: any OlderPlace,
        keeping item: SecretBytes?
    ) async throws -> Bool {
        if entry == .discard { try await place.removeCopies() }
        guard let value = try await place.item() else { return true }
        switch entry {
        case .copied(let hash):
            // Another value by now is not what was copied: it stays.
            guard hash == MigrationMarker.hash(value) else { return true }
            return try await remove(value, at: place, keeping: item)
        case .discard:
            return try await remove(value, at: place, keeping: item)
        }
    }

    /// Removes a value from an older place, and nothing from the target.
    ///
    /// An app that names the target itself as an older place, by mistake, would lose its session: so the item that must
    /// stay is put back where it went.
    private func remove(_ value: SecretBytes, at place: any OlderPlace, keeping item: SecretBytes?) async throws -> Bool
    {
        let isGone = try await place.removeItem(ifEquals: value)
        guard isGone, let item, try await target.item(forKey: key) == nil else { return isGone }
        _ = try await target.replaceItem(forKey: key, ifEquals: nil, with: item)
        return isGone
    }

    // MARK: Removing

    /// Removes every older value, and writes down which places could not be reached.
    ///
    /// When this returns, the target's item can be removed and no older value comes back in its place.
    ///
    /// - Returns: Whether nothing is left at older places, and so no marker.
    /// - Throws: ``SecureStoreError`` of the target, where the marker can't be written or removed; `CancellationError`.
    func removeOlderValues(_ interaction: InteractionPolicy) async throws -> Bool {
        var marker = MigrationMarker()
        for source in sources {
            do {
                guard try await !isEmptied(source.place) else { continue }
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // Unreachable, or damaged: by the marker it counts no more.
            }
            marker.entries[source.place.name] = .discard
        }
        isTidied.withLock { $0 = false }
        try await write(marker, interaction)
        return marker.entries.isEmpty
    }

    /// Removes a place's value, whatever it is; false where it is written again all the time.
    private func isEmptied(_ place: any OlderPlace) async throws -> Bool {
        try await place.removeCopies()
        for _ in 0..<Self.attempts {
            guard let value = try await place.item() else { return true }
            if try await place.removeItem(ifEquals: value) { return true }
        }
        return false
    }

    // MARK: The marker

    func marker(_ interaction: InteractionPolicy = .never) async throws -> MigrationMarker {
        guard let item = try await target.item(forKey: markerKey, interaction: interaction) else {
            return MigrationMarker()
        }
        return try MigrationMarker(item)
    }

    private func write(_ marker: MigrationMarker, _ interaction: InteractionPolicy = .never) async throws {
        if marker.entries.isEmpty {
            try await target.removeItem(forKey: markerKey, interaction: interaction)
        } else {
            try await target.setItem(marker.item, forKey: markerKey, interaction: interaction)
        }
    }

    private func place(_ name: PlaceName) -> (any OlderPlace)? {
        sources.first { $0.place.name == name }?.place
    }
}
