// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The changes of a migrating store, which must not let an older value come back.
///
/// A removal of the migrated item has three steps:
///
/// 1. The older values are removed, location by location.
/// 2. The marker is written if a location could not be reached, and removed otherwise.
/// 3. The target's item is removed.
///
/// If a process is killed, or a step fails, before the end, the target's item is still complete and the removal can be
/// repeated. In the reverse order an older token would replace the removed item at the next read.
extension MigratingStore {
    /// Writes an item to the target.
    ///
    /// Older values stay in their locations until the item is removed. They are not read any more.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` of the target; `invalidName` for the marker's name; `busy` if another process
    ///   migrates for longer than 30 seconds; `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try check(key)
        guard key == self.key else { return try await target.setItem(item, forKey: key, interaction: interaction) }
        // Under the lock, this write can't come between a migration's copy and its comparison.
        try await lock.withLock(timeout: timeout) {
            try await target.setItem(item, forKey: key, interaction: interaction)
        }
    }

    /// Removes an item; for the migrated key, removes the older values first.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` of the target, whose item is then still there; `invalidName` for the marker's
    ///   name; `busy` as a read does; `CancellationError`. An older location that can't be reached is recorded and
    ///   causes no error.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try check(key)
        guard key == self.key else { return try await target.removeItem(forKey: key, interaction: interaction) }
        try await lock.withLock(timeout: timeout) {
            _ = try await removeLegacyValues(interaction)
            try await target.removeItem(forKey: key, interaction: interaction)
        }
    }

    /// Writes an item only if the present one is the expected one; for the migrated key, migrates first.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence, in the older locations too. Secret.
    ///   - item: The new item. Secret.
    ///   - interaction: The policy for prompts.
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

    /// Removes an item only if it is the expected one.
    ///
    /// For the migrated key the older values are removed too, as in a removal.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret.
    ///   - interaction: The policy for prompts.
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
        return try await lock.withLock(timeout: timeout) {
            guard let item = try await migrate(interaction) else { return true }
            guard item == expected else { return false }
            _ = try await removeLegacyValues(interaction)
            return try await target.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        }
    }

    /// Removes all items, the older values first.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` as a removal does; `CancellationError`.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await lock.withLock(timeout: timeout) {
            if try await removeLegacyValues(interaction) {
                return try await target.removeAll(interaction: interaction)
            }
            // All items except the marker.
            for key in try await target.keys(interaction: interaction) where key != markerKey {
                try await target.removeItem(forKey: key, interaction: interaction)
            }
        }
    }

    /// Returns the steps that the next read of the migrated item would take, and takes no step itself.
    ///
    /// - Returns: A step for each older location, in their order. Holds no value.
    /// - Throws: ``SecureStoreError`` of the target; `damaged` or `newerFormat` if the marker can't be read;
    ///   `CancellationError`.
    public func plan() async throws -> [MigrationStep] {
        // The value to compare older values with: the target's item, or the first value, which would become that item.
        var item = try await target.item(forKey: key)
        let marker = try await marker()
        var isStopped = false
        var steps: [MigrationStep] = []
        for source in sources {
            let action: MigrationStep.Action
            do {
                if let value = try await source.legacyItem.item() {
                    if marker.names(value, at: source.legacyItem.name) {
                        action = .removeLeftover
                    } else if let item {
                        action = try source.isCopy(value, of: item) ? .removeLeftover : .leave
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
                isStopped = isStopped || marker.entries[source.legacyItem.name] != .discard
            }
            steps.append(MigrationStep(locationName: source.legacyItem.name, action: action))
        }
        return steps
    }
}
