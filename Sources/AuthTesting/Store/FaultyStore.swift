public import AuthCore
public import SecureStore
import Synchronization

/// A store in memory that fails when a test says so, as a locked, slow, full or broken keyring does.
///
/// Faults are asked for in this order: a suspension, a chosen call, the lock, all calls, all changes, the room left.
public final class FaultyStore: SecureStore {
    private struct Faults {
        var all: SecureStoreError?
        var changes: SecureStoreError?
        var isLocked = false
        var unlocksWhenAsked = false
        var room: Int?
        var chosen: [Int: SecureStoreError] = [:]
        var wait: (@Sendable () async throws -> Void)?
        var callCount = 0
        var writeCount = 0
        var promptCount = 0
    }

    private let items: MemoryStore
    private let faults = Mutex(Faults())

    /// Makes an empty store that works.
    ///
    /// - Parameter scope: Whose items; nil for a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        items = MemoryStore(scope: scope)
    }

    // MARK: Faults

    /// How many calls were made, those that failed included.
    public var callCount: Int { faults.withLock { $0.callCount } }

    /// How many writes succeeded.
    public var writeCount: Int { faults.withLock { $0.writeCount } }

    /// How many calls found the store locked and were allowed to ask the person.
    public var promptCount: Int { faults.withLock { $0.promptCount } }

    /// Makes every call fail, or work again.
    ///
    /// - Parameter error: What every call throws; nil for none.
    public func failAll(with error: SecureStoreError?) {
        faults.withLock { $0.all = error }
    }

    /// Makes every write and removal fail, or work again; reads still work.
    ///
    /// - Parameter error: What every change throws; nil for none.
    public func failWrites(with error: SecureStoreError?) {
        faults.withLock { $0.changes = error }
    }

    /// Makes one call fail.
    ///
    /// - Parameters:
    ///   - number: Which one from now on; 1 is the next.
    ///   - error: What it throws.
    public func failCall(_ number: Int, with error: SecureStoreError) {
        faults.withLock { $0.chosen[$0.callCount + number] = error }
    }

    /// Locks the store: what is in it stays, and calls throw `locked`.
    ///
    /// - Parameter unlocking: Whether the person unlocks it for a call that may ask; otherwise the prompt is dismissed.
    public func lock(unlocking: Bool = false) {
        faults.withLock { ($0.isLocked, $0.unlocksWhenAsked) = (true, unlocking) }
    }

    /// Unlocks the store.
    public func unlock() {
        faults.withLock { $0.isLocked = false }
    }

    /// Limits the store, as a full disk does.
    ///
    /// - Parameter size: The largest item that can still be written, in bytes; nil for no limit.
    public func limitItems(to size: Int?) {
        faults.withLock { $0.room = size }
    }

    /// Holds every call up before it does anything.
    ///
    /// - Parameter wait: What each call awaits, a test clock or a gate; nil for nothing.
    public func delayCalls(_ wait: (@Sendable () async throws -> Void)?) {
        faults.withLock { $0.wait = wait }
    }

    private func begin(_ interaction: InteractionPolicy, writing item: SecretBytes? = nil, isChange: Bool) async throws
    {
        let (number, wait) = faults.withLock { faults in
            faults.callCount += 1
            return (faults.callCount, faults.wait)
        }
        try await wait?()
        try faults.withLock { faults in
            if let error = faults.chosen.removeValue(forKey: number) { throw error }
            try Self.unlock(&faults, interaction)
            if let error = faults.all { throw error }
            guard isChange else { return }
            if let error = faults.changes { throw error }
            if let room = faults.room, let item, item.count > room { throw SecureStoreError(.full) }
        }
    }

    private static func unlock(_ faults: inout Faults, _ interaction: InteractionPolicy) throws {
        guard faults.isLocked else { return }
        guard case .allowed = interaction else { throw SecureStoreError(.locked) }
        faults.promptCount += 1
        guard faults.unlocksWhenAsked else { throw SecureStoreError(.promptDismissed) }
        faults.isLocked = false
    }

    // MARK: The store

    /// Whose items these are.
    public var scope: StoreScope { items.scope }

    /// As strong as the memory it is.
    public var protection: StoreProtection { items.protection }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether a locked store may be unlocked.
    /// - Returns: The item, or nil.
    /// - Throws: The error that the test chose.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await begin(interaction, isChange: false)
        return try await items.item(forKey: key)
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: What to keep.
    ///   - key: Under which name.
    ///   - interaction: Whether a locked store may be unlocked.
    /// - Throws: The error that the test chose.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await begin(interaction, writing: item, isChange: true)
        try await items.setItem(item, forKey: key)
        faults.withLock { $0.writeCount += 1 }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether a locked store may be unlocked.
    /// - Throws: The error that the test chose.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await begin(interaction, isChange: true)
        try await items.removeItem(forKey: key)
    }

    /// Writes an item only where the present one is the expected one.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing.
    ///   - item: What to keep.
    ///   - interaction: Whether a locked store may be unlocked.
    /// - Returns: Whether the item was written.
    /// - Throws: The error that the test chose.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await begin(interaction, writing: item, isChange: true)
        let isWritten = try await items.replaceItem(forKey: key, ifEquals: expected, with: item)
        faults.withLock { $0.writeCount += isWritten ? 1 : 0 }
        return isWritten
    }

    /// Removes an item only where it is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be.
    ///   - interaction: Whether a locked store may be unlocked.
    /// - Returns: Whether the item is gone.
    /// - Throws: The error that the test chose.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await begin(interaction, isChange: true)
        return try await items.removeItem(forKey: key, ifEquals: expected)
    }

    /// The names of all items.
    ///
    /// - Parameter interaction: Whether a locked store may be unlocked.
    /// - Returns: The names.
    /// - Throws: The error that the test chose.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await begin(interaction, isChange: false)
        return try await items.keys()
    }

    /// Removes all items.
    ///
    /// - Parameter interaction: Whether a locked store may be unlocked.
    /// - Throws: The error that the test chose.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await begin(interaction, isChange: true)
        try await items.removeAll()
    }
}
