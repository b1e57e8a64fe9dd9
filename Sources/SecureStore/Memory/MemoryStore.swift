// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store in this process's memory, for tests and for sessions that must not outlive the process.
///
/// Never suspends, never prompts, and ignores the interaction policy.
public final class MemoryStore: SecureStore {
    private let items = Mutex<[StoreKey: SecretBytes]>([:])

    /// The service and account of the items; unless given, a scope that no other store has.
    public let scope: StoreScope

    /// Creates an empty store.
    ///
    /// - Parameter scope: The service and account of the items; nil for a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        self.scope = scope ?? StoreScope(service: .random)
    }

    /// The protection, always ``StoreProtection/memory``.
    public var protection: StoreProtection { .memory }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: Ignored.
    /// - Returns: The item, secret; nil if there is no item.
    /// - Throws: No error.
    public func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        items.withLock { $0[key] }
    }

    /// Writes an item.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    ///   - interaction: Ignored.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try StoreLimits.check(item)
        items.withLock { $0[key] = item }
    }

    /// Removes an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: Ignored.
    /// - Throws: No error.
    public func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        items.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// Writes an item only if the present one is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence. Secret.
    ///   - item: The new item. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try StoreLimits.check(item)
        return items.withLock { items in
            guard items[key] == expected else { return false }
            items[key] = item
            return true
        }
    }

    /// Removes an item only if it is the expected one.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret.
    ///   - interaction: Ignored.
    /// - Returns: Whether the item is gone.
    /// - Throws: No error.
    public func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        items.withLock { items in
            guard let found = items[key] else { return true }
            guard found == expected else { return false }
            items[key] = nil
            return true
        }
    }

    /// Returns the keys of all items.
    ///
    /// - Parameter interaction: Ignored.
    /// - Returns: The keys.
    /// - Throws: No error.
    public func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        items.withLock { Set($0.keys) }
    }

    /// Removes all items.
    ///
    /// - Parameter interaction: Ignored.
    /// - Throws: No error.
    public func removeAll(interaction: InteractionPolicy) async throws {
        items.withLock { $0 = [:] }
    }
}
