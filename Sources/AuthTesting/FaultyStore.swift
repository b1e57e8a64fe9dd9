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

    /// Creates an empty store that works, by default in a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        items = MemoryStore(scope: scope)
    }

    // MARK: Faults

    /// The number of calls, including those that failed.
    public var callCount: Int { faults.withLock { $0.callCount } }

    /// The number of writes that succeeded.
    public var writeCount: Int { faults.withLock { $0.writeCount } }

    /// The number of prompts: calls of ``unlock(timeout:)`` that found the store locked.
    public var promptCount: Int { faults.withLock { $0.promptCount } }

    /// Makes every call fail, or work again if the error is nil.
    public func failAll(with error: SecureStoreError?) {
        faults.withLock { $0.all = error }
    }

    /// Makes every write and removal fail, or work again if the error is nil; reads still work.
    public func failWrites(with error: SecureStoreError?) {
        faults.withLock { $0.changes = error }
    }

    /// Makes one call fail.
    ///
    /// - Parameter number: The call's number from now on; 1 is the next call.
    public func failCall(_ number: Int, with error: SecureStoreError) {
        faults.withLock { $0.chosen[$0.callCount + number] = error }
    }

    /// Locks the store: its items stay, and calls throw `locked`.
    ///
    /// - Parameter unlocking: Whether the user unlocks it at ``unlock(timeout:)``; if false, the prompt is dismissed.
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

    private func begin(writing item: SecretBytes? = nil, isChange: Bool) async throws {
        let (number, wait) = faults.withLock { faults in
            faults.callCount += 1
            return (faults.callCount, faults.wait)
        }
        try await wait?()
        try faults.withLock { faults in
            if let error = faults.chosen.removeValue(forKey: number) { throw error }
            if faults.isLocked { throw SecureStoreError(.locked) }
            if let error = faults.all { throw error }
            guard isChange else { return }
            if let error = faults.changes { throw error }
            if let room = faults.room, let item, item.count > room { throw SecureStoreError(.full) }
        }
    }

    // MARK: The store

    public var scope: StoreScope { items.scope }

    public var protection: StoreProtection { items.protection }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await begin(isChange: false)
        return try await items.item(forKey: key)
    }

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await begin(writing: item, isChange: true)
        try await items.setItem(item, forKey: key)
        faults.withLock { $0.writeCount += 1 }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        try await begin(isChange: true)
        try await items.removeItem(forKey: key)
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try await begin(writing: item, isChange: true)
        let isDone = try await items.replaceItem(forKey: key, ifEquals: expected, with: item)
        faults.withLock { $0.writeCount += isDone && item != nil ? 1 : 0 }
        return isDone
    }

    public func unlock(timeout: Duration) async throws {
        try faults.withLock { faults in
            guard faults.isLocked else { return }
            faults.promptCount += 1
            guard faults.unlocksWhenAsked else { throw SecureStoreError(.promptDismissed) }
            faults.isLocked = false
        }
    }

    /// Returns the keys of all items, without a fault, for assertions.
    package func keys() async throws -> Set<StoreKey> { try await items.keys() }
}
