// SPDX-License-Identifier: Apache-2.0

package import AuthCore
package import SecureStore

/// A store that passes each call through one function to the store that has the items.
package protocol WrappingStore: SecureStore {
    /// The store that has the items.
    var wrapped: any SecureStore { get }

    /// Makes a call. By default, makes it on the wrapped store.
    ///
    /// - Parameter key: The key that the call is about; nil for an unlocking.
    func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value
}

extension WrappingStore {
    package func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value {
        try await work(wrapped)
    }

    package var scope: StoreScope { wrapped.scope }

    package var protection: StoreProtection { get async { await wrapped.protection } }

    package func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await call(key, isChange: false) { try await $0.item(forKey: key) }
    }

    package func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await call(key, isChange: true) { try await $0.setItem(item, forKey: key) }
    }

    package func removeItem(forKey key: StoreKey) async throws {
        try await call(key, isChange: true) { try await $0.removeItem(forKey: key) }
    }

    package func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try await call(key, isChange: true) { try await $0.replaceItem(forKey: key, ifEquals: expected, with: item) }
    }

    package func unlock(timeout: Duration) async throws {
        try await call(nil, isChange: false) { try await $0.unlock(timeout: timeout) }
    }
}
