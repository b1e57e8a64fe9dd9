// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store that moves one item from the places where older versions of an app kept it, at the first read.
///
///     let target = try KeyringStore(service: "com.example.app")
///     let store = try MigratingStore(
///         target,
///         migrating: key,
///         from: [
///             .init(.keyring(target, attributes: ["service": "com.example.older", "account": "authToken"])),
///             .init(.settings(path: path, member: "authToken")),
///         ]
///     )
///
/// If the store, here called the target, has no item of that key, the older places are read in their order, and the
/// first value found is moved. A place that can't be read while the target is empty is an error, because absence is not
/// proved. **Once the target has had the item, the older places are dead:** they are only emptied, whatever they hold.
///
/// Only one of several processes migrates. It may be killed between any two steps; the next read then continues:
///
/// 1. The value is written to the target if the target has no item. Killed before: nothing happened. Killed after: the
///    target's item is used from now on.
/// 2. It is read back and compared.
/// 3. The mark is written beside it. From here on the older places are dead even if the item goes.
/// 4. The older values are removed, the main one first. Killed in between: the mark has the rest removed.
/// 5. The mark is removed. Killed before: it is removed once nothing is found at the older places.
///
/// A removal empties the older places first, then writes the mark if a place could not be emptied, and then removes the
/// target's item. Killed at any step, the item is still complete and the removal can be repeated; in the reverse order
/// an old token would replace the removed item at the next read.
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
        ///   - companions: The items beside it. They are removed with it, and after it.
        ///   - convert: The conversion of the main item's value, for example of a bare token to a session's record. It
        ///     reads the companions, which are all still there. An error other than a ``SecureStoreError`` becomes
        ///     `damaged`.
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
    /// The emptying of dead places, which this object begins with its first read: each costs a call to every place.
    private let emptying = Mutex<Task<Void, Never>?>(nil)

    private static let mark = SecretBytes("sallyport-migration 1".utf8)
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
        try self.init(target, migrating: key, from: sources) { try UserFolder.locks(of: $0) }
    }

    /// Creates a store with its lock in a given folder, for tests.
    package convenience init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source],
        locksIn folder: String,
        timeout: Duration = .seconds(30)
    ) throws {
        try self.init(target, migrating: key, from: sources, timeout) { _ in try PrivateFolder(folder) }
    }

    private init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source],
        _ timeout: Duration = .seconds(30),
        _ folder: @escaping @Sendable (StoreScope) throws -> PrivateFolder
    ) throws {
        let scope = target.scope
        (self.target, self.key, self.sources, self.timeout) = (target, key, sources, timeout)
        markKey = try StoreKey("migrated-from.\(key)")
        lock = FileLock("migration") { try folder(scope).file(ScopeFileName.of("migration", scope)) }
    }

    // MARK: The store

    public var scope: StoreScope { target.scope }

    public var protection: StoreProtection { get async { await target.protection } }

    public func unlock(timeout: Duration) async throws { try await target.unlock(timeout: timeout) }

    public func probe() async throws { try await target.probe() }

    /// Reads an item; for the migrated key, may move it here first.
    ///
    /// - Returns: The item, secret; nil only if it is proved that neither the target nor any older place has it.
    /// - Throws: ``SecureStoreError`` of the target; that of an older place, if the target is empty; `damaged` if the
    ///   copy does not read back as it was written; `busy` if another process migrates for longer than 30 seconds;
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

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        guard key == self.key else { return try await target.setItem(item, forKey: key) }
        // Under the lock, this write can't come between a migration's copy and its comparison.
        try await lock.withLock(timeout: timeout) { try await target.setItem(item, forKey: key) }
    }

    /// Removes an item; for the migrated key, empties the older places first.
    ///
    /// - Throws: ``SecureStoreError`` of the target, whose item is then still there; `busy` as a read does;
    ///   `CancellationError`. An older place that can't be emptied is marked and causes no error.
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

    /// Waits until the older places are emptied, after a read of the migrated item.
    ///
    /// For a program that ends soon after a read. A read does not wait for that, and reports no failure of it: the next
    /// process tries again. Ignores cancellation.
    package func finishCleanUp() async {
        await emptying.withLock { $0 }?.value
    }

    // MARK: Steps, all under the lock

    /// Returns the target's item, or moves the first older value to the target and returns that.
    private func migrated() async throws -> SecretBytes? {
        for _ in 0..<Self.attempts {
            if let item = try await target.item(forKey: key) { return item }
            if try await isMarked() {
                await empty(keeping: nil)
                return nil
            }
            guard let (source, value) = try await firstValue() else { return nil }
            let item = try await source.converted(value)
            // An old app may have written meanwhile: the companions then belong to another value.
            guard try await source.main.read() == value,
                try await target.replaceItem(forKey: key, ifEquals: nil, with: item)
            else { continue }
            guard try await target.item(forKey: key) == item else {
                throw SecureStoreError(.damaged, detail: "read back")
            }
            await empty(keeping: item)
            return item
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
            if let item = try await target.item(forKey: key) { await empty(keeping: item) }
            return true
        }
        // The next read tries again.
        if isDone != true { emptying.withLock { $0 = nil } }
    }

    /// Empties the older places under the mark, which stays as long as one of them can't be emptied.
    ///
    /// Reports no failure: the next process tries again.
    private func empty(keeping item: SecretBytes?) async {
        guard var isMarked = try? await isMarked() else { return }
        var isLeft = false
        for legacy in sources.flatMap({ [$0.main] + $0.companions }) {
            do {
                if isMarked { try await legacy.removeCopies() }
                guard try await legacy.read() != nil else { continue }
                if !isMarked { try await target.setItem(Self.mark, forKey: markKey) }
                isMarked = true
                try await legacy.remove()
            } catch {
                isLeft = true
            }
        }
        guard isMarked else { return }
        // An app that names the target itself as an older place, by mistake, would lose its session.
        if let item { _ = try? await target.replaceItem(forKey: key, ifEquals: nil, with: item) }
        if !isLeft { try? await target.removeItem(forKey: markKey) }
    }

    /// Empties the older places, and marks them as dead if one of them can't be emptied.
    private func emptyForRemoval() async throws {
        var isLeft = false
        for legacy in sources.flatMap({ [$0.main] + $0.companions }) {
            // Each even if the other fails.
            for removal in [legacy.remove, legacy.removeCopies] {
                do {
                    try await removal()
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    isLeft = true
                }
            }
        }
        emptying.withLock { $0 = nil }
        if isLeft {
            try await target.setItem(Self.mark, forKey: markKey)
        } else {
            try await target.removeItem(forKey: markKey)
        }
    }

    private func isMarked() async throws -> Bool { try await target.item(forKey: markKey) != nil }
}
