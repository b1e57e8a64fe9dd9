public import AuthCore

/// Changes of a migrating store, which must not let an older value come back.
///
/// A removal of the migrated item works in this order:
///
/// 1. Older values are removed, place by place.
/// 2. The marker is written where a place could not be reached, else removed.
/// 3. The target's item is removed.
///
/// Killed, or failing, anywhere before the end, the target's item is still there as a whole, and the removal can be
/// made again. The other way round an older token would take the place of the removed item at the next read.
extension MigratingStore {
    /// Writes an item to the target.
    ///
    /// Older values stay where they are until the item is removed; they are not read any more.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` of the target; `invalidName` for the marker's name; `busy` where another process
    ///   migrates for longer than is waited; `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try check(key)
        guard key == self.key else { return try await target.setItem(item, forKey: key, interaction: interaction) }
        // Not between a migration's copy and its reading back.
        try await lock.withLock(waiting: patience) {
            try await target.setItem(item, forKey: key, interaction: interaction)
        }
    }

    /// Removes an item; for the migrated key the older values first.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` of the target, with its item still there: an older place that can't be reached is
    ///   no error, but written down; `invalidName` for the marker's name; `busy` as a read does; `CancellationError`.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try check(key)
        guard key == self.key else { return try await target.removeItem(forKey: key, interaction: interaction) }
        try await lock.withLock(waiting: patience) {
            _ = try await removeOlderValues(interaction)
            try await target.removeItem(forKey: key, interaction: interaction)
        }
    }

    /// Writes an item only where the present one, moved here where it was not, is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing, at no older place either. Secret.
    ///   - item: What to keep. Secret.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a read and a write do; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try check(key)
        if key == self.key { _ = try await migrated(interaction) }
        return try await target.replaceItem(forKey: key, ifEquals: expected, with: item, interaction: interaction)
    }

    /// Removes an item only where it is the expected one.
    ///
    /// For the migrated key the older values go too, as by a removal.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError`` as a read and a removal do; `CancellationError`.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try check(key)
        guard key == self.key else {
            return try await target.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        }
        return try await lock.withLock(waiting: patience) {
            guard let item = try await migrate(interaction) else { return true }
            guard item == expected else { return false }
            _ = try await removeOlderValues(interaction)
            return try await target.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        }
    }

    /// Removes all items, the older values first.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` as a removal; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await lock.withLock(waiting: patience) {
            if try await removeOlderValues(interaction) {
                return try await target.removeAll(interaction: interaction)
            }
            // All but the marker.
            for key in try await target.keys(interaction: interaction) where key != markerKey {
                try await target.removeItem(forKey: key, interaction: interaction)
            }
        }
    }

    /// Says what the next read of the migrated item would do, and does nothing.
    ///
    /// - Returns: A step for each older place, in their order. Holds no value.
    /// - Throws: ``SecureStoreError`` of the target; `damaged` or `newerFormat` where the marker can't be read;
    ///   `CancellationError`.
    public func plan() async throws -> [MigrationStep] {
        // What an older value is compared with: the target's item, or the first value, which would become it.
        var item = try await target.item(forKey: key)
        let marker = try await marker()
        var isStopped = false
        var steps: [MigrationStep] = []
        for source in sources {
            let action: MigrationStep.Action
            do {
                if let value = try await source.place.item() {
                    if marker.names(value, at: source.place.name) {
                        action = .removeLeftover
                    } else if let item {
                        action = try source.converted(value) == item ? .removeLeftover : .leave
                    } else if isStopped {
                        action = .leave
                    } else {
                        item = try source.converted(value)
                        action = .migrate
                    }
                } else {
                    action = .nothing
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                action = .unavailable(SecureStoreError(cause: error))
                isStopped = isStopped || marker.entries[source.place.name] != .discard
            }
            steps.append(MigrationStep(place: source.place.name, action: action))
        }
        return steps
    }
}
