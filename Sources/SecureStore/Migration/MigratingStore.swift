public import AuthCore
import Synchronization

/// A store that moves one item here from where older versions of an app kept it, at the first read.
///
///     let store = try MigratingStore(
///         KeyringStore(service: "com.goumuve.app"),
///         migrating: key,
///         from: [
///             .init(OlderStoreItem(customer, in: KeyringStore(service: "com.goumuve.customer"), forKey: key)),
///             .init(SettingsFileValue(settings, path: path, member: "authToken")),
///         ]
///     )
///
/// Where the store, called the target here, has no item of that key, the older places are looked through in their
/// order, and the first value there is moves: it is written to the target where nothing is, read back, compared, and
/// only then removed from its old place, and from the others that hold the same. A place that can't be reached while
/// the target is empty is an error: absence is not proved. Of several processes one migrates. One that is killed, at
/// whatever step, loses nothing, and the next read goes on: beside the item lies a marker, which names the places and
/// the hashes of what has been copied. A value that is no copy of the target's item, because an old version of the app
/// still writes there, say, is left alone; ``plan()`` names it.
///
/// A removal removes older values too, before the target's item, so that nobody's sign-out is undone by an old token.
/// What can't be reached then is named by the marker: it is never migrated, and removed as soon as it can be.
///
/// Put a ``StickyStore`` around it, not into it: then a sign-out while the keyring is locked is remembered as a whole.
public final class MigratingStore: SecureStore {
    /// An older place, and what its value becomes.
    public struct Source: Sendable {
        let place: any OlderPlace
        private let convert: @Sendable (SecretBytes) throws -> SecretBytes

        /// Names a source.
        ///
        /// - Parameters:
        ///   - place: The older place.
        ///   - convert: Makes the item of the old value: a session's record of a bare token, say. Must make the same of
        ///     the same each time. An error that is no ``SecureStoreError`` becomes `damaged`.
        public init(
            _ place: any OlderPlace,
            converting convert: @escaping @Sendable (SecretBytes) throws -> SecretBytes = { $0 }
        ) {
            (self.place, self.convert) = (place, convert)
        }

        func converted(_ value: SecretBytes) throws(SecureStoreError) -> SecretBytes {
            do {
                return try convert(value)
            } catch let error as SecureStoreError {
                throw error
            } catch {
                // The error may hold the value.
                throw SecureStoreError(.damaged, detail: place.name.name)
            }
        }
    }

    let target: any SecureStore
    let key: StoreKey
    let sources: [Source]
    let markerKey: StoreKey
    let lock: PatientLock
    let patience: Duration
    /// Whether leftovers have been looked for, which is done once: older places cost a call each.
    let isTidied = Mutex(false)

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - target: Where the item is to be.
    ///   - key: Which item. The marker is called `migrated-from.` and that name.
    ///   - sources: The older places, the one that counts most first.
    /// - Throws: ``SecureStoreError`` (`invalidName` where two places have one name, or the marker's is too long).
    public convenience init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source]
    ) throws {
        try self.init(target, migrating: key, from: sources) { try UserFolder.locks() }
    }

    /// Makes a store whose lock is in a folder of the caller's, for tests.
    package convenience init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source],
        locksIn folder: String,
        patience: Duration = .seconds(30)
    ) throws {
        try self.init(target, migrating: key, from: sources, patience) { try PrivateFolder(folder) }
    }

    private init(
        _ target: any SecureStore,
        migrating key: StoreKey,
        from sources: [Source],
        _ patience: Duration = .seconds(30),
        _ folder: @escaping @Sendable () throws -> PrivateFolder
    ) throws {
        guard Set(sources.map(\.place.name)).count == sources.count else {
            throw SecureStoreError(.invalidName, detail: "a place named twice")
        }
        let scope = target.scope
        (self.target, self.key, self.sources, self.patience) = (target, key, sources, patience)
        markerKey = try StoreKey("migrated-from.\(key)")
        lock = PatientLock("migration") { try folder().file(ScopeFileName.of("migration", scope)) }
    }

    /// Whose items these are: the target's.
    public var scope: StoreScope { target.scope }

    /// How strongly the target protects.
    ///
    /// An older place that was not yet left may protect less.
    public var protection: StoreProtection { get async { await target.protection } }

    /// Looks at the target.
    ///
    /// - Returns: What was found.
    public func diagnose() async -> StoreDiagnosis { await target.diagnose() }

    /// Finds out whether the target can be used.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        try await target.probe(interaction: interaction)
    }

    // MARK: Reading

    /// Reads an item, which for the migrated key may first be moved here.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked to unlock the target; an older place never asks.
    /// - Returns: The item, secret; nil only where it is proved that neither the target nor any older place has it.
    /// - Throws: ``SecureStoreError`` of the target; that of an older place, where the target is empty; `damaged` where
    ///   the copy does not read back as it was written, or the marker is not what was written; `busy` where another
    ///   process migrates for longer than 30 seconds; `CancellationError`.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try check(key)
        guard key == self.key else { return try await target.item(forKey: key, interaction: interaction) }
        return try await migrated(interaction)
    }

    /// The names of all items, after the migrated one was moved here.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Returns: The names; the marker is none of them.
    /// - Throws: ``SecureStoreError`` as a read of the migrated item does; `CancellationError`.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        _ = try await migrated(interaction)
        return try await target.keys(interaction: interaction).subtracting([markerKey])
    }

    /// The item, moved here where it was not.
    func migrated(_ interaction: InteractionPolicy) async throws -> SecretBytes? {
        guard let item = try await target.item(forKey: key, interaction: interaction) else {
            return try await lock.withLock(waiting: patience) { try await migrate(interaction) }
        }
        if !isTidied.withLock({ $0 }) {
            // The item is here: no fault of an older place, and nobody who has the lock, keeps it from the caller.
            _ = try? await lock.withLockIfFree { await tidy() }
        }
        return item
    }

    /// Refuses the marker's name: who wrote there would change what is removed at older places.
    func check(_ key: StoreKey) throws(SecureStoreError) {
        guard key != markerKey else { throw SecureStoreError(.invalidName) }
    }
}
