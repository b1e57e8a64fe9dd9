// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Synchronization

/// A faulty store whose changes a test can hold back.
final class GatedStore: WrappingStore {
    let faults = FaultyStore()
    private let gate = Mutex<Gate?>(nil)
    private let exit = Mutex<Gate?>(nil)

    var wrapped: any SecureStore { faults }

    /// Holds every change from now on before it is made; nil ends that.
    func holdChanges(at gate: Gate?) {
        self.gate.withLock { $0 = gate }
    }

    /// Holds every conditional removal from now on after it is made; nil ends that.
    func holdRemovals(at gate: Gate?) {
        exit.withLock { $0 = gate }
    }

    func call<Value>(
        _ key: StoreKey?,
        isChange: Bool,
        _ work: (any SecureStore) async throws -> Value
    ) async throws -> Value {
        if isChange { await gate.withLock { $0 }?.pass() }
        return try await work(faults)
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        await gate.withLock { $0 }?.pass()
        let isDone = try await faults.replaceItem(forKey: key, ifEquals: expected, with: item)
        if item == nil { await exit.withLock { $0 }?.pass() }
        return isDone
    }
}
