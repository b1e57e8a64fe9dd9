public import AuthCore
import Synchronization

/// A store in this process's memory: for tests, and for sessions that must not outlive the process.
public final class MemoryStore: SecureStore {
    private let items = Mutex<[StoreKey: SecretBytes]>([:])

    /// Makes an empty store.
    public init() {}

    /// Always ``StoreProtection/memory``.
    public var protection: StoreProtection { .memory }

    /// Reads an item.
    ///
    /// Never suspends and never fails.
    ///
    /// - Parameter key: Which one.
    /// - Returns: The item, or nil.
    /// - Throws: Nothing.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        items.withLock { $0[key] }
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try StoreLimits.check(item)
        items.withLock { $0[key] = item }
    }

    /// Removes an item.
    ///
    /// - Parameter key: Which one.
    /// - Throws: Nothing.
    public func removeItem(forKey key: StoreKey) async throws {
        items.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// Removes an item only where it is the expected one.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: Nothing.
    public func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        items.withLock { items in
            guard let found = items[key] else { return true }
            guard found == expected else { return false }
            items[key] = nil
            return true
        }
    }
}
