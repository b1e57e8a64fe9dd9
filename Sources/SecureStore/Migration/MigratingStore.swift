// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store that moves one item from the locations of older versions of an app, at the first read.
///
///     let store = try MigratingStore(
///         KeyringStore(service: "com.goumuve.app"),
///         migrating: key,
///         from: [
///             .init(LegacyStoreItem(customer, in: KeyringStore(service: "com.goumuve.customer"), forKey: key)),
///             .init(LegacySettingsValue(settings, path: path, member: "authToken")),
///         ]
///     )
///
/// If the store, here called the target, has no item of that key, the older locations are read in their order, and the
/// first value found is moved. It is written to the target if the target has no item, read back and compared. Only then
/// is it removed from its old location, and from the other locations that hold the same value. A later read looks for what
/// is left of it there, beside its caller: see ``finishCleanUp()``. A location that can't be
/// reached while the target is empty is an error, because absence is not proved.
///
/// Only one of several processes migrates. If it is killed, at whatever step, no value is lost and the next read
/// continues. A marker beside the item names the locations and the hashes of the copied values. A value that is no copy
/// of the target's item is left alone, for example because an old version of the app still writes it; ``plan()`` names
/// it.
///
/// A removal removes the older values too, before the target's item, so that no old token undoes a user's sign-out. The
/// marker names the locations that can't be reached then. Their values are never migrated, and are removed as soon as
/// possible.
///
/// Put a ``PinnedStore`` around it, not into it. Then a sign-out while the keyring is locked is recorded as a whole.
public final class MigratingStore: SecureStore {
    /// An older location, and the conversion of its value.
    public struct Source: Sendable {
        let legacyItem: any LegacyItemSource
        private let convert: @Sendable (SecretBytes) throws -> SecretBytes
        private let isSameOrigin: @Sendable (_ converted: SecretBytes, _ item: SecretBytes) -> Bool

        /// Creates a source.
        ///
        /// - Parameters:
        ///   - legacyItem: The older location.
        ///   - convert: The conversion of the old value to the item, for example of a bare token to a session's record.
        ///     It must return the same result for the same value. An error other than a ``SecureStoreError`` becomes
        ///     `damaged`.
        public init(
            _ legacyItem: any LegacyItemSource,
            converting convert: @escaping @Sendable (SecretBytes) throws -> SecretBytes = { $0 }
        ) {
            self.init(legacyItem, converting: convert) { _, _ in false }
        }

        /// Creates a source whose items tell which value they come from, also after they were changed.
        ///
        /// - Parameters:
        ///   - legacyItem: The older location.
        ///   - convert: The conversion of the old value to the item.
        ///   - isSameOrigin: Whether a converted value and the target's item, which differ, come from the same value.
        package init(
            _ legacyItem: any LegacyItemSource,
            converting convert: @escaping @Sendable (SecretBytes) throws -> SecretBytes,
            isSameOrigin: @escaping @Sendable (_ converted: SecretBytes, _ item: SecretBytes) -> Bool
        ) {
            (self.legacyItem, self.convert, self.isSameOrigin) = (legacyItem, convert, isSameOrigin)
        }

        /// Returns whether an old value is the one that an item comes from.
        func isCopy(_ value: SecretBytes, of item: SecretBytes) throws(SecureStoreError) -> Bool {
            let converted = try converted(value)
            return converted == item || isSameOrigin(converted, item)
        }

        func converted(_ value: SecretBytes) throws(SecureStoreError) -> SecretBytes {
            do {
                return try convert(value)
            } catch let error as SecureStoreError {
                throw error
            } catch {
                // The error may hold the value.
                throw SecureStoreError(.damaged, detail: legacyItem.name.name)
            }
        }
    }

    let target: any SecureStore
    let key: StoreKey
    let sources: [Source]
    let markerKey: StoreKey
    let lock: FileLock
    let timeout: Duration
    /// The search of the older locations for leftovers, once this object has begun it.
    ///
    /// It begins one with the first read, and again after a removal, because each search costs a call to every older
    /// location.
    let search = Mutex<Task<Void, Never>?>(nil)

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - target: The store that the item is moved to.
    ///   - key: The key of the item. The marker's key is `migrated-from.` followed by this key.
    ///   - sources: The older locations, in order of precedence.
    /// - Throws: ``SecureStoreError`` (`invalidName` if two locations have one name, or the marker's name is too long).
    public convenience init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source]
    ) throws {
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
        guard Set(sources.map(\.legacyItem.name)).count == sources.count else {
            throw SecureStoreError(.invalidName, detail: "duplicate location name")
        }
        let scope = target.scope
        (self.target, self.key, self.sources, self.timeout) = (target, key, sources, timeout)
        markerKey = try StoreKey("migrated-from.\(key)")
        lock = FileLock("migration") { try folder(scope).file(ScopeFileName.of("migration", scope)) }
    }

    /// The service and account of the target's items.
    public var scope: StoreScope { target.scope }

    /// The strength of the target's protection.
    ///
    /// An older location that still holds the value may protect it less.
    public var protection: StoreProtection { get async { await target.protection } }

    public func unlock(timeout: Duration) async throws { try await target.unlock(timeout: timeout) }

    /// Checks whether the target can be used.
    ///
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func probe() async throws {
        try await target.probe()
    }

    // MARK: Reading

    /// Reads an item; for the migrated key, may move it here first.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    /// - Returns: The item, secret; nil only if it is proved that neither the target nor any older location has it.
    /// - Throws: ``SecureStoreError`` of the target; that of an older location, if the target is empty; `damaged` if
    ///   the copy or the marker does not read back as it was written; `busy` if another process migrates for longer
    ///   than 30 seconds; `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try check(key)
        guard key == self.key else { return try await target.item(forKey: key) }
        return try await migrated()
    }

    /// Returns the migrated item, and moves it here first if necessary.
    func migrated() async throws -> SecretBytes? {
        guard let item = try await target.item(forKey: key) else {
            return try await lock.withLock(timeout: timeout) { try await migrate() }
        }
        // The item is here. Neither a slow or failing older location nor another holder of the lock may keep it from the
        // caller.
        search.withLock { $0 = $0 ?? Task { await searchIfFree() } }
        return item
    }

    private func searchIfFree() async {
        let isDone = (try? await lock.withLockIfFree { await cleanUp() }) != nil
        // The next read tries again.
        if !isDone { search.withLock { $0 = nil } }
    }

    /// Waits until leftovers at the older locations are removed, after a read of the migrated item.
    ///
    /// For a program that ends soon after a read. A read does not wait for that, and reports no failure of it: the next
    /// process tries again. Ignores cancellation.
    public func finishCleanUp() async {
        await search.withLock { $0 }?.value
    }

    /// Refuses the marker's key, because a caller's write there would change the pending removals at older locations.
    func check(_ key: StoreKey) throws(SecureStoreError) {
        guard key != markerKey else { throw SecureStoreError(.invalidName) }
    }
}
