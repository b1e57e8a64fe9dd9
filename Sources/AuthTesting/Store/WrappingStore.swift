// SPDX-License-Identifier: Apache-2.0

package import AuthCore
package import SecureStore

/// A store that passes each call through one function to the store that has the items.
package protocol WrappingStore: SecureStore {
    /// The store that has the items.
    var wrapped: any SecureStore { get }

    /// Makes a call. By default, makes it on the wrapped store.
    ///
    /// - Parameters:
    ///   - key: The key that the call is about; nil if it is about all.
    ///   - isChange: Whether the call may change an item.
    ///   - work: The call.
    /// - Returns: The result of the call.
    /// - Throws: The error of the call.
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

    package func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await call(key, isChange: false) { try await $0.item(forKey: key, interaction: interaction) }
    }

    package func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await call(key, isChange: true) { try await $0.setItem(item, forKey: key, interaction: interaction) }
    }

    package func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await call(key, isChange: true) { try await $0.removeItem(forKey: key, interaction: interaction) }
    }

    package func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await call(key, isChange: true) {
            try await $0.replaceItem(forKey: key, ifEquals: expected, with: item, interaction: interaction)
        }
    }

    package func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await call(key, isChange: true) {
            try await $0.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        }
    }

    package func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await call(nil, isChange: false) { try await $0.keys(interaction: interaction) }
    }

    package func removeAll(interaction: InteractionPolicy) async throws {
        try await call(nil, isChange: true) { try await $0.removeAll(interaction: interaction) }
    }
}
