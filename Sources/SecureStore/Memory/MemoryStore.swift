// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import Synchronization

/// A store in this process's memory, for tests and for sessions that must not outlive the process.
///
/// Never suspends.
public final class MemoryStore: SecureStore {
    private let items = Mutex<[StoreKey: SecretBytes]>([:])

    public let scope: StoreScope

    /// Creates an empty store.
    ///
    /// - Parameter scope: The service and account of the items; nil for a scope that no other store has.
    public init(scope: StoreScope? = nil) {
        self.scope = scope ?? StoreScope()
    }

    public var protection: StoreProtection { .memory }

    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        items.withLock { $0[key] }
    }

    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try item.checkItemSize()
        items.withLock { $0[key] = item }
    }

    public func removeItem(forKey key: StoreKey) async throws {
        items.withLock { $0[key] = nil }
    }

    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try item?.checkItemSize()
        return items.withLock { items in
            let found = items[key]
            guard found == expected || found == nil && item == nil else { return false }
            items[key] = item
            return true
        }
    }

    /// Returns the keys of all items, for tests.
    package func keys() async throws -> Set<StoreKey> {
        items.withLock { Set($0.keys) }
    }
}
