import AuthCore
import AuthTesting
import SecureStore
import Synchronization

/// A faulty store whose changes a test can hold back.
final class GatedStore: SecureStore {
    let faults = FaultyStore()
    private let gate = Mutex<Gate?>(nil)

    var protection: StoreProtection { faults.protection }

    /// Every change from now on waits at the gate; nil for none.
    func holdChanges(at gate: Gate?) {
        self.gate.withLock { $0 = gate }
    }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await faults.item(forKey: key)
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        await gate.withLock { $0 }?.pass()
        try await faults.setItem(item, forKey: key)
    }

    func removeItem(forKey key: StoreKey) async throws {
        await gate.withLock { $0 }?.pass()
        try await faults.removeItem(forKey: key)
    }

    func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        await gate.withLock { $0 }?.pass()
        return try await faults.removeItem(forKey: key, ifEquals: expected)
    }
}
