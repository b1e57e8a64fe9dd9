public import AuthCore
public import SecureStore
import Synchronization

/// A store in memory that fails when a test says so, as a locked or broken keyring does.
public final class FaultyStore: SecureStore {
    private struct Faults {
        var all: SecureStoreError?
        var writes: SecureStoreError?
        var writeCount = 0
    }

    private let items = MemoryStore()
    private let faults = Mutex(Faults())

    /// Makes an empty store that works.
    public init() {}

    /// As strong as the memory it is.
    public var protection: StoreProtection { items.protection }

    /// How many writes succeeded.
    public var writeCount: Int { faults.withLock { $0.writeCount } }

    /// Makes every call fail, or work again.
    ///
    /// - Parameter error: What every call throws; nil for none.
    public func failAll(with error: SecureStoreError?) {
        faults.withLock { $0.all = error }
    }

    /// Makes every write fail, or work again; reads still work.
    ///
    /// - Parameter error: What every write throws; nil for none.
    public func failWrites(with error: SecureStoreError?) {
        faults.withLock { $0.writes = error }
    }

    /// Reads an item.
    ///
    /// - Parameter key: Which one.
    /// - Returns: The item, or nil.
    /// - Throws: The error that the test chose.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try checkAll()
        return try await items.item(forKey: key)
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: What to keep.
    ///   - key: Under which name.
    /// - Throws: The error that the test chose.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try checkWrites()
        try await items.setItem(item, forKey: key)
        faults.withLock { $0.writeCount += 1 }
    }

    /// Removes an item.
    ///
    /// - Parameter key: Which one.
    /// - Throws: The error that the test chose.
    public func removeItem(forKey key: StoreKey) async throws {
        try checkWrites()
        try await items.removeItem(forKey: key)
    }

    /// Removes an item only where it is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be.
    /// - Returns: Whether the item is gone.
    /// - Throws: The error that the test chose.
    public func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        try checkWrites()
        return try await items.removeItem(forKey: key, ifEquals: expected)
    }

    private func checkAll() throws {
        if let error = faults.withLock({ $0.all }) { throw error }
    }

    private func checkWrites() throws {
        if let error = faults.withLock({ $0.all ?? $0.writes }) { throw error }
    }
}
