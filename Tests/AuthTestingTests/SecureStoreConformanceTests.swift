// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Testing

/// A check that can't fail proves nothing: each of these stores breaks a promise, and a check must fail for it.
@Suite struct SecureStoreConformanceTests {
    @Test(arguments: BrokenStore.Fault.allCases)
    func `a store that breaks a requirement fails a check`(fault: BrokenStore.Fault) async throws {
        var failed: [String] = []
        for check in SecureStoreConformance.checks {
            do { try await check.run(BrokenStore(fault)) } catch { failed.append(check.description) }
        }
        #expect(!failed.isEmpty)
    }

    @Test func `names of checks are unique`() {
        #expect(Set(SecureStoreConformance.checks.map(\.description)).count == SecureStoreConformance.checks.count)
    }
}

final class BrokenStore: SecureStore {
    enum Fault: CaseIterable {
        case stopsAtNUL
        case treatsEmptyAsAbsent
        case keepsTheFirstItem
        case acceptsAnySize
        case losesOldItemToOversizedOne
        case doesNotRemove
        case failsToRemoveAbsent
        case removesUnequal
        case keepsEqual
        case reportsAbsentAsUnequal
        case ignoresCase
        case hasOneItem
        case replacesUnequal
        case doesNotReplace
        case replacesAbsent
        case replacesWithAnySize
        case replacesInTwoSteps
        case probesWithAnItemsKey
        case clearsWhenUnlocked
    }

    private let fault: Fault
    private let memory = MemoryStore()

    init(_ fault: Fault) {
        self.fault = fault
    }

    var scope: StoreScope { memory.scope }
    var protection: StoreProtection { .memory }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        let item = try await memory.item(forKey: storedKey(of: key))
        switch fault {
        case .stopsAtNUL: return item.map { SecretBytes($0.unredacted.prefix { $0 != 0 }) }
        case .treatsEmptyAsAbsent: return item?.count == 0 ? nil : item
        default: return item
        }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        switch fault {
        case .keepsTheFirstItem where try await memory.item(forKey: key) != nil:
            return
        case .acceptsAnySize where item.count > SecretBytes.maximumItemSize:
            return
        case .losesOldItemToOversizedOne where item.count > SecretBytes.maximumItemSize:
            try await memory.removeItem(forKey: key)
        default:
            break
        }
        try await memory.setItem(item, forKey: storedKey(of: key))
    }

    func removeItem(forKey key: StoreKey) async throws {
        switch fault {
        case .doesNotRemove:
            return
        case .failsToRemoveAbsent where try await memory.item(forKey: key) == nil:
            throw SecureStoreError(.failed)
        default:
            try await memory.removeItem(forKey: storedKey(of: key))
        }
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        guard let item else { return try await remove(key, ifEquals: expected) }
        switch fault {
        case .replacesUnequal:
            try await memory.setItem(item, forKey: key)
            return true
        case .doesNotReplace:
            return try await memory.item(forKey: key) == expected
        case .replacesAbsent where try await memory.item(forKey: key) == nil:
            try await memory.setItem(item, forKey: key)
            return true
        case .replacesWithAnySize where item.count > SecretBytes.maximumItemSize:
            return true
        case .replacesInTwoSteps:
            guard try await memory.item(forKey: key) == expected else { return false }
            // Long enough for another caller to read as well, however few threads there are.
            for _ in 0..<1_000 { await Task.yield() }
            try await memory.setItem(item, forKey: key)
            return true
        default:
            return try await memory.replaceItem(forKey: storedKey(of: key), ifEquals: expected, with: item)
        }
    }

    private func remove(_ key: StoreKey, ifEquals expected: SecretBytes?) async throws -> Bool {
        let item = try await memory.item(forKey: key)
        switch fault {
        case .removesUnequal:
            try await memory.removeItem(forKey: key)
            return true
        case .keepsEqual:
            return item == nil || item == expected
        case .reportsAbsentAsUnequal where item == nil:
            return false
        default:
            return try await memory.replaceItem(forKey: storedKey(of: key), ifEquals: expected, with: nil)
        }
    }

    func unlock(timeout: Duration) async throws {
        guard fault == .clearsWhenUnlocked else { return }
        for key in try await memory.keys() { try await memory.removeItem(forKey: key) }
    }

    func probe() async throws {
        guard fault == .probesWithAnItemsKey else { return try await memory.probe() }
        for key in try await memory.keys() { try await memory.setItem(SecretBytes([]), forKey: key) }
    }

    private func storedKey(of key: StoreKey) throws -> StoreKey {
        switch fault {
        case .ignoresCase: try StoreKey(key.name.lowercased())
        case .hasOneItem: try StoreKey("item")
        default: key
        }
    }
}
