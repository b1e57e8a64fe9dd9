// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store that moves one item from the places where older versions of an app kept it, at the first read.
///
/// <doc:ChoosingWhereASessionIsKept> and <doc:MovingFromKeychainAccess> have examples.
///
/// If the store, here called the target, has no item of that key, the older places are read in their order, and the
/// first value found is moved. A place that can't be read while the target is empty is an error, because absence is not
/// proved. **A migration, a first write and a removal of the item empty the older places,** whatever they hold.
///
/// A value that appears there afterwards is the old app's, as after a downgrade. Beside an item it stays until a removal
/// of the item: emptied, it would be a sign-in that the old app loses and nobody revokes; adopted, it would replace the
/// item, maybe by another user's. If the target has no item, it is moved as the first one was.
///
/// Only one of several processes migrates. It may be killed between any two steps; the next read then continues:
///
/// 1. A first mark is written, also before a sign-in. Killed after: the migration begins again.
/// 2. The value is written to the target if the target has no item. Killed after: the target's item is used from now on.
/// 3. It is read back and compared. Another item is a newer write, if the first mark reads back unchanged.
/// 4. The second mark is written. From here on the older places are dead even if the item goes.
/// 5. The older values are removed, the main one first. Killed in between: the mark has the rest removed.
/// 6. The mark is removed. Killed before: it is removed once nothing is found at the older places.
///
/// A removal empties the older places first, then writes the second mark if a place could not be emptied, and then
/// removes the target's item. In the reverse order, an old token could replace the removed item.
///
/// Put ``PendingRemovals`` around it, not into it. Then a sign-out while the keyring is locked is recorded as a whole.
public final class MigratingStore: SecureStore {
    /// An older place of the item.
    public struct Source: Sendable {
        let main: LegacyItem
        let companions: [LegacyItem]
        private let convert: @Sendable (SecretBytes) async throws -> SecretBytes

        /// Describes a place.
        ///
        /// - Parameters:
        ///   - main: The item without which the place has no value.
        ///   - companions: The items beside it. They are removed after it.
        ///   - convert: The conversion of the main item's value, for example of a bare token to a session's record. It
        ///     may read the companions. An error other than a ``SecureStoreError`` becomes `damaged`.
        public init(
            _ main: LegacyItem,
            with companions: [LegacyItem] = [],
            converting convert: @escaping @Sendable (SecretBytes) async throws -> SecretBytes = { $0 }
        ) {
            (self.main, self.companions, self.convert) = (main, companions, convert)
        }

        func converted(_ value: SecretBytes) async throws -> SecretBytes {
            do {
                return try await convert(value)
            } catch let error where error is SecureStoreError || error is CancellationError {
                throw error
            } catch {
                // The error may hold the value.
                throw SecureStoreError(.damaged, detail: "an older value")
            }
        }
    }

    private let target: any SecureStore
    private let key: StoreKey
    private let markKey: StoreKey
    private let sources: [Source]
    let lock: FileLock
    private let timeout: Duration
    /// The emptying of marked places, which this object tries at its first read.
    private let emptying = Mutex<Task<Void, Never>?>(nil)

    /// The mark of a migration whose item may not be written yet.
    private static let begun = SecretBytes("sallyport-migration begun".utf8)
    /// The mark of dead older places; so is any other content but ``begun``.
    private static let dead = SecretBytes("sallyport-migration 1".utf8)
    /// The number of attempts at a migration while other programs write.
    private static let attempts = 3

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - target: The store that the item is moved to.
    ///   - key: The key of the item. The mark's key is `migrated-from.` followed by this key.
    ///   - sources: The older places, in order of precedence.
    /// - Throws: ``SecureStoreError`` (`invalidName` if the mark's key is too long).
    public convenience init(_ target: any SecureStore, migrating key: StoreKey, from sources: [Source]) throws {
        try self.init(target, migrating: key, from: sources, locksIn: nil)
    }

    /// Creates a store with its lock in a given folder, for tests.
    package init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source],
        locksIn folder: String?,
        timeout: Duration = .seconds(30)
    ) throws {
        let scope = target.scope
        (self.target, self.key, self.sources, self.timeout) = (target, key, sources, timeout)
        markKey = try StoreKey("migrated-from.\(key)")
        lock = FileLock("migration") {
            try UserFolder.locks(of: scope, in: folder).file(ScopeFileName.of("migration", scope))
        }
    }

    // MARK: The store

    public var scope: StoreScope { target.scope }

    public var protection: StoreProtection { get async { await target.protection } }

    public func unlock(timeout: Duration) async throws { try await target.unlock(timeout: timeout) }

    public func probe() async throws { try await target.probe() }

    /// Reads an item; for the migrated key, may move it here first.
    ///
    /// - Throws: ``SecureStoreError`` of the target; that of an older place, if the target is empty; `damaged` if the
    ///   target does not return what was written; `busy` if another process migrates for longer than 30 seconds;
    ///   `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        guard key == self.key else { return try await target.item(forKey: key) }
        guard let item = try await target.item(forKey: key) else {
            return try await lock.withLock(timeout: timeout) { try await migrated() }
        }
        // Neither a slow or failing older place nor another holder of the lock may keep the item from the caller.
        emptying.withLock { $0 = $0 ?? Task { await emptyIfFree() } }
        return item
    }

    /// Writes an item; the first one of the migrated key has the older places emptied.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        guard key == self.key else { return try await target.setItem(item, forKey: key) }
        try await lock.withLock(timeout: timeout) {
            if try await target.item(forKey: key) == nil, try await !isDead() { try await begin() }
            emptying.withLock { $0 = nil }
            try await target.setItem(item, forKey: key)
        }
    }

    /// Removes an item; for the migrated key, empties the older places first.
    ///
    /// An older place that can't be emptied is marked and causes no error.
    public func removeItem(forKey key: StoreKey) async throws {
        guard key == self.key else { return try await target.removeItem(forKey: key) }
        try await lock.withLock(timeout: timeout) {
            try await emptyForRemoval()
            try await target.removeItem(forKey: key)
        }
    }

    /// Replaces an item; for the migrated key, migrates first, so that it is compared with what a read returns.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        guard key == self.key else {
            return try await target.replaceItem(forKey: key, ifEquals: expected, with: item)
        }
        guard item == nil else {
            // Not under the lock: a slow older place must not delay a write of new tokens.
            _ = try await self.item(forKey: key)
            return try await target.replaceItem(forKey: key, ifEquals: expected, with: item)
        }
        return try await lock.withLock(timeout: timeout) {
            if try await migrated() == expected { try await emptyForRemoval() }
            return try await target.replaceItem(forKey: key, ifEquals: expected, with: nil)
        }
    }

    /// Waits until the older places are emptied, for which a read of the migrated item does not wait.
    package func finishCleanUp() async {
        await emptying.withLock { $0 }?.value
    }

    // MARK: Steps, all under the lock

    /// Returns the target's item, or moves the first older value to the target and returns that.
    private func migrated() async throws -> SecretBytes? {
        for _ in 0..<Self.attempts {
            if let item = try await target.item(forKey: key) { return item }
            if try await isDead() {
                await empty(keeping: nil)
                return nil
            }
            guard let (source, value) = try await firstValue() else { return nil }
            let item = try await source.converted(value)
            try await begin()
            // An old app may have written meanwhile: the companions then belong to another value.
            guard try await source.main.read() == value,
                try await target.replaceItem(forKey: key, ifEquals: nil, with: item)
            else { continue }
            let (found, mark) = (try await target.item(forKey: key), try await target.item(forKey: markKey))
            // A write takes no lock if it compares. A store that alters items alters the mark too.
            guard let found, found == item || mark == Self.begun else {
                throw SecureStoreError(.damaged, detail: "read back")
            }
            await empty(keeping: found)
            return found
        }
        throw SecureStoreError(.busy, detail: "migration")
    }

    /// A place that can't be read ends the search with its error, because it may have the value.
    private func firstValue() async throws -> (Source, SecretBytes)? {
        for source in sources {
            if let value = try await source.main.read() { return (source, value) }
        }
        return nil
    }

    private func emptyIfFree() async {
        let isDone = try? await lock.withLockIfFree {
            let isMarked = try await target.item(forKey: markKey) != nil
            if isMarked, let item = try await target.item(forKey: key) { await empty(keeping: item) }
            return true
        }
        // The next read tries again.
        if isDone != true { emptying.withLock { $0 = nil } }
    }

    /// Empties the older places under the mark, which stays as long as one of them can't be emptied.
    ///
    /// Reports no failure: the next process tries again.
    private func empty(keeping item: SecretBytes?) async {
        guard let wasDead = try? await isDead() else { return }
        if !wasDead, (try? await target.setItem(Self.dead, forKey: markKey)) == nil { return }
        let isEmptied = (try? await areEmptied(withCopies: wasDead)) ?? false
        // An app that names the target itself as an older place, by mistake, would lose its session.
        if let item { _ = try? await target.replaceItem(forKey: key, ifEquals: nil, with: item) }
        if isEmptied { try? await target.removeItem(forKey: markKey) }
    }

    /// Empties the older places, and marks them as dead if one of them can't be emptied.
    private func emptyForRemoval() async throws {
        let isEmptied = try await areEmptied(withCopies: true)
        emptying.withLock { $0 = nil }
        if isEmptied {
            try await target.removeItem(forKey: markKey)
        } else {
            try await target.setItem(Self.dead, forKey: markKey)
        }
    }

    /// Empties the older places, each even if another fails; returns whether none did.
    private func areEmptied(withCopies: Bool) async throws -> Bool {
        var isEmptied = true
        for legacy in sources.flatMap({ [$0.main] + $0.companions }) {
            for removal in [legacy.remove] + (withCopies ? [legacy.removeCopies] : []) {
                do {
                    try await removal()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    isEmptied = false
                }
            }
        }
        return isEmptied
    }

    private func begin() async throws { try await target.setItem(Self.begun, forKey: markKey) }

    private func isDead() async throws -> Bool {
        let mark = try await target.item(forKey: markKey)
        return mark != nil && mark != Self.begun
    }
}
