// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Synchronization

/// A faulty store whose changes a test can hold back.
final class GatedStore: SecureStore {
    let faults = FaultyStore()
    private let gate = Mutex<Gate?>(nil)
    private let exit = Mutex<Gate?>(nil)
    private let prompt = Mutex<Gate?>(nil)

    var scope: StoreScope { faults.scope }
    var protection: StoreProtection { faults.protection }

    /// Holds every change from now on before it is made; nil ends that.
    func holdChanges(at gate: Gate?) {
        self.gate.withLock { $0 = gate }
    }

    /// Holds every conditional removal from now on after it is made; nil ends that.
    func holdRemovals(at gate: Gate?) {
        exit.withLock { $0 = gate }
    }

    /// Holds the prompts to delete emptied items open; nil ends that.
    func holdDeletionPrompts(at gate: Gate?) {
        prompt.withLock { $0 = gate }
    }

    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
        try await faults.item(forKey: key, interaction: interaction)
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        await gate.withLock { $0 }?.pass()
        try await faults.setItem(item, forKey: key, interaction: interaction)
    }

    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
        await gate.withLock { $0 }?.pass()
        try await faults.removeItem(forKey: key, interaction: interaction)
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        await gate.withLock { $0 }?.pass()
        return try await faults.replaceItem(forKey: key, ifEquals: expected, with: item, interaction: interaction)
    }

    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool {
        await gate.withLock { $0 }?.pass()
        let isRemoved = try await faults.removeItem(forKey: key, ifEquals: expected, interaction: interaction)
        await exit.withLock { $0 }?.pass()
        return isRemoved
    }

    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
        try await faults.keys(interaction: interaction)
    }

    func removeAll(interaction: InteractionPolicy) async throws {
        await gate.withLock { $0 }?.pass()
        try await faults.removeAll(interaction: interaction)
    }

    func deleteEmptiedItems(interaction: InteractionPolicy) async throws {
        if case .allowed = interaction { await prompt.withLock { $0 }?.pass() }
    }
}
