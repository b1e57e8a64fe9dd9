// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// A store that accepts every item and returns a different one.
struct ForgetfulStore: SecureStore {
    private let memory: MemoryStore

    init(scope: StoreScope) {
        memory = MemoryStore(scope: scope)
    }

    var scope: StoreScope { memory.scope }
    var protection: StoreProtection { .memory }

    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await memory.item(forKey: key).map { _ in SecretBytes("another") }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await memory.setItem(item, forKey: key)
    }

    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await memory.removeItem(forKey: key)
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await memory.replaceItem(forKey: key, ifEquals: expected, with: item)
    }

    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await memory.removeItem(forKey: key, ifEquals: expected)
    }

    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await memory.keys()
    }

    func removeAll(interaction: InteractionPolicy) async throws {
        try await memory.removeAll()
    }
}
