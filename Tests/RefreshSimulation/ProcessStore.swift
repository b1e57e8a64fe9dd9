// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore

/// The shared store from one process's side: sometimes slow or failing, and out of reach after the process's death.
struct ProcessStore: SecureStore {
    let world: World
    let life: Life

    var scope: StoreScope { world.store.scope }
    var protection: StoreProtection { world.store.protection }

    /// Performs one access, with a wait before and after it in which others may act and the process may die.
    private func access<Value>(isChange: Bool, _ work: (MemoryStore) async throws -> Value) async throws -> Value {
        await life.pass()
        try await world.delay(.storeBefore)
        await life.pass()
        if let fault = world.storeFault(isChange: isChange) { throw fault }
        let value = try await work(world.reachableStore(of: life))
        try await world.delay(.storeAfter)
        await life.pass()
        return value
    }

    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await access(isChange: false) { try await $0.item(forKey: key) }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await access(isChange: true) { try await $0.setItem(item, forKey: key) }
    }

    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        try await access(isChange: true) { try await $0.removeItem(forKey: key) }
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await access(isChange: true) { try await $0.replaceItem(forKey: key, ifEquals: expected, with: item) }
    }

    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        try await access(isChange: true) { try await $0.removeItem(forKey: key, ifEquals: expected) }
    }

    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await access(isChange: false) { try await $0.keys() }
    }

    func removeAll(interaction: InteractionPolicy) async throws {
        try await access(isChange: true) { try await $0.removeAll() }
    }
}
