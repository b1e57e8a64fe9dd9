// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Testing

/// One call of a store.
private enum StoreCall: CaseIterable {
    case read
    case listKeys
    case write
    case replace
    case remove
    case removeExpected
    case removeAll

    static let changes = allCases.filter { $0 != .read && $0 != .listKeys }

    func make(on store: FaultyStore, _ key: StoreKey, interaction: InteractionPolicy = .never) async throws {
        let item = SecretBytes("new".utf8)
        switch self {
        case .read: _ = try await store.item(forKey: key, interaction: interaction)
        case .listKeys: _ = try await store.keys(interaction: interaction)
        case .write: try await store.setItem(item, forKey: key, interaction: interaction)
        case .replace:
            _ = try await store.replaceItem(forKey: key, ifEquals: nil, with: item, interaction: interaction)
        case .remove: try await store.removeItem(forKey: key, interaction: interaction)
        case .removeExpected: _ = try await store.removeItem(forKey: key, ifEquals: item, interaction: interaction)
        case .removeAll: try await store.removeAll(interaction: interaction)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FaultyStoreTests {
    private let store = FaultyStore()
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)
    private var prompt: InteractionPolicy { .allowed(until: .now + .seconds(60)) }

    init() throws {
        key = try StoreKey("session")
    }

    @Test(arguments: SecureStoreConformance.checks + SecureStoreConformance.wholeStoreChecks)
    func `a store without faults passes every conformance check`(check: SecureStoreCheck) async throws {
        try await check.run(store)
    }

    @Test(arguments: StoreCall.allCases)
    private func `failAll fails every call without a change until the test ends it`(call: StoreCall) async throws {
        try await store.setItem(item, forKey: key)
        store.failAll(with: SecureStoreError(.noProvider))
        await #expect(throws: SecureStoreError(.noProvider)) { try await call.make(on: store, key) }
        store.failAll(with: nil)
        #expect(try await store.item(forKey: key) == item)
        #expect(store.writeCount == 1)
    }

    @Test(arguments: StoreCall.changes)
    private func `failWrites fails every change and no read`(call: StoreCall) async throws {
        try await store.setItem(item, forKey: key)
        store.failWrites(with: SecureStoreError(.denied))
        await #expect(throws: SecureStoreError(.denied)) { try await call.make(on: store, key) }
        #expect(try await store.item(forKey: key) == item)
        #expect(try await store.keys() == [key])
        store.failWrites(with: nil)
        try await call.make(on: store, key)
    }

    @Test func `only the chosen call fails`() async throws {
        _ = try await store.item(forKey: key)
        store.failCall(2, with: SecureStoreError(.timedOut))
        try await store.setItem(item, forKey: key)
        await #expect(throws: SecureStoreError(.timedOut)) { try await store.item(forKey: key) }
        #expect(try await store.item(forKey: key) == item)
        #expect(store.callCount == 4)
        #expect(store.writeCount == 1)
    }

    @Test(arguments: StoreCall.allCases)
    private func `a locked store keeps its items and does not prompt unless the call allows it`(
        call: StoreCall
    ) async throws {
        try await store.setItem(item, forKey: key)
        store.lock(unlocking: true)
        await #expect(throws: SecureStoreError(.locked)) { try await call.make(on: store, key) }
        #expect(store.promptCount == 0)
        store.unlock()
        #expect(try await store.item(forKey: key) == item)
    }

    @Test func `a dismissed prompt leaves the store locked, and a confirmed one unlocks it`() async throws {
        try await store.setItem(item, forKey: key)
        store.lock()
        await #expect(throws: SecureStoreError(.promptDismissed)) {
            try await store.item(forKey: key, interaction: prompt)
        }
        await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: key) }
        store.lock(unlocking: true)
        #expect(try await store.item(forKey: key, interaction: prompt) == item)
        #expect(try await store.item(forKey: key) == item)
        #expect(store.promptCount == 2)
    }

    @Test func `a full store refuses an item that does not fit and keeps the old item`() async throws {
        store.limitItems(to: item.count)
        try await store.setItem(item, forKey: key)
        let large = SecretBytes("larger".utf8)
        await #expect(throws: SecureStoreError(.full)) { try await store.setItem(large, forKey: key) }
        await #expect(throws: SecureStoreError(.full)) {
            try await store.replaceItem(forKey: key, ifEquals: item, with: large)
        }
        #expect(try await store.item(forKey: key) == item)
        store.limitItems(to: nil)
        try await store.setItem(large, forKey: key)
        #expect(try await store.item(forKey: key) == large)
    }

    @Test(arguments: StoreCall.allCases)
    private func `a delayed call has no effect before its delay ends`(call: StoreCall) async throws {
        let clock = TestClock()
        try await store.setItem(item, forKey: key)
        store.delayCalls { try await clock.sleep(for: .seconds(30)) }
        let held = Task { [store, key] in try await call.make(on: store, key) }
        await clock.sleepers()
        store.delayCalls(nil)
        #expect(try await store.item(forKey: key) == item)
        clock.advance(by: .seconds(30))
        try await held.value
    }

    @Test func `faults apply in the order failCall, lock, failAll, failWrites, limitItems`() async throws {
        store.limitItems(to: 0)
        store.failWrites(with: SecureStoreError(.denied))
        store.failAll(with: SecureStoreError(.noProvider))
        store.lock()
        store.failCall(1, with: SecureStoreError(.timedOut))
        func code() async -> SecureStoreError.Code? {
            await #expect(throws: SecureStoreError.self) { try await store.setItem(item, forKey: key) }?.code
        }
        #expect(await code() == .timedOut)
        #expect(await code() == .locked)
        store.unlock()
        #expect(await code() == .noProvider)
        store.failAll(with: nil)
        #expect(await code() == .denied)
        store.failWrites(with: nil)
        #expect(await code() == .full)
        #expect(store.callCount == 5)
        #expect(store.writeCount == 0)
    }
}
