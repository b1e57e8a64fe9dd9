// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import SecureStore
import Synchronization

/// A store in memory that fails on a test's request, as a locked, slow, full or broken keyring does.
///
/// Faults apply in this order: the delay, a chosen call, the lock, all calls, all changes, the size limit.
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

    /// Creates an empty store that works.
    ///
    /// - Parameter scope: The scope of the items; nil for a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        items = MemoryStore(scope: scope)
    }

    // MARK: Faults

    /// The number of calls, including those that failed.
    public var callCount: Int { faults.withLock { $0.callCount } }

    /// The number of writes that succeeded.
    public var writeCount: Int { faults.withLock { $0.writeCount } }

    /// The number of calls that found the store locked and were allowed to prompt the user.
    public var promptCount: Int { faults.withLock { $0.promptCount } }

    /// Makes every call fail, or work again.
    ///
    /// - Parameter error: The error that every call throws; nil to make calls work.
    public func failAll(with error: SecureStoreError?) {
        faults.withLock { $0.all = error }
    }

    /// Makes every write and removal fail, or work again; reads still work.
    ///
    /// - Parameter error: The error that every change throws; nil to make changes work.
    public func failWrites(with error: SecureStoreError?) {
        faults.withLock { $0.changes = error }
    }

    /// Makes one call fail.
    ///
    /// - Parameters:
    ///   - number: The call's number from now on; 1 is the next call.
    ///   - error: The error that the call throws.
    public func failCall(_ number: Int, with error: SecureStoreError) {
        faults.withLock { $0.chosen[$0.callCount + number] = error }
    }

    /// Locks the store: its items stay, and calls throw `locked`.
    ///
    /// - Parameter unlocking: Whether the user unlocks it for a call that may prompt; if false, the prompt is
    ///   dismissed.
    public func lock(unlocking: Bool = false) {
        faults.withLock { ($0.isLocked, $0.unlocksWhenAsked) = (true, unlocking) }
    }

    /// Unlocks the store.
    public func unlock() {
        faults.withLock { $0.isLocked = false }
    }

    /// Limits the size of items, as a full disk does.
    ///
    /// - Parameter size: The largest item that can still be written, in bytes; nil for no limit.
    public func limitItems(to size: Int?) {
        faults.withLock { $0.room = size }
    }

    /// Delays every call before its work.
    ///
    /// - Parameter wait: The function that each call awaits, such as a test clock's or a gate's; nil for no delay.
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

    /// The scope of the items.
    public var scope: StoreScope { items.scope }

    /// The protection of memory.
    public var protection: StoreProtection { items.protection }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: Whether the call may unlock a locked store.
    /// - Returns: The item; nil if there is no item with this key.
    /// - Throws: The error that the test chose.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await begin(interaction, isChange: false)
        return try await items.item(forKey: key)
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - key: The item's key.
    ///   - interaction: Whether the call may unlock a locked store.
    /// - Throws: The error that the test chose.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await begin(interaction, writing: item, isChange: true)
        try await items.setItem(item, forKey: key)
        faults.withLock { $0.writeCount += 1 }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: Whether the call may unlock a locked store.
    /// - Throws: The error that the test chose.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await begin(interaction, isChange: true)
        try await items.removeItem(forKey: key)
    }

    /// Writes an item only if the present item is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil if the key must have no item.
    ///   - item: The new item.
    ///   - interaction: Whether the call may unlock a locked store.
    /// - Returns: True if the item was written.
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

    /// Removes an item only if it is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present.
    ///   - interaction: Whether the call may unlock a locked store.
    /// - Returns: True if the item is gone.
    /// - Throws: The error that the test chose.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await begin(interaction, isChange: true)
        return try await items.removeItem(forKey: key, ifEquals: expected)
    }

    /// Returns the keys of all items.
    ///
    /// - Parameter interaction: Whether the call may unlock a locked store.
    /// - Returns: The keys.
    /// - Throws: The error that the test chose.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await begin(interaction, isChange: false)
        return try await items.keys()
    }

    /// Removes all items.
    ///
    /// - Parameter interaction: Whether the call may unlock a locked store.
    /// - Throws: The error that the test chose.
    public func removeAll(interaction: InteractionPolicy) async throws {
        try await begin(interaction, isChange: true)
        try await items.removeAll()
    }
}
