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
    /// - Throws: ``SecureStoreError`` of the target; `invalidName` for the marker's name; `busy` if another process
    ///   migrates for longer than 30 seconds; `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try check(key)
        guard key == self.key else { return try await target.setItem(item, forKey: key) }
        // Under the lock, this write can't come between a migration's copy and its comparison.
        try await lock.withLock(timeout: timeout) {
            try await target.setItem(item, forKey: key)
        }
    }

    /// Removes an item; for the migrated key, removes the older values first.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError`` of the target, whose item is then still there; `invalidName` for the marker's
    ///   name; `busy` as a read does; `CancellationError`. An older location that can't be reached is recorded and
    ///   causes no error.
    public func removeItem(forKey key: StoreKey) async throws {
        try check(key)
        guard key == self.key else { return try await target.removeItem(forKey: key) }
        try await lock.withLock(timeout: timeout) {
            _ = try await removeLegacyValues()
            try await target.removeItem(forKey: key)
        }
    }

    /// Writes an item only if the present one is the expected one; for the migrated key, migrates first.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence, in the older locations too. Secret.
    ///   - item: The new item. Secret.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a read and a write do; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try check(key)
        if item == nil, key == self.key {
            return try await lock.withLock(timeout: timeout) {
                guard let found = try await migrate() else { return true }
                guard found == expected else { return false }
                _ = try await removeLegacyValues()
                return try await target.replaceItem(forKey: key, ifEquals: expected, with: nil)
            }
        }
        if key == self.key { _ = try await migrated() }
        return try await target.replaceItem(forKey: key, ifEquals: expected, with: item)
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
