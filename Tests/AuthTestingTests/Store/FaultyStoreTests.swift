// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

/// One call of a store.
private enum StoreCall: CaseIterable {
    case read
    case write
    case replace
    case remove
    case removeExpected

    static let changes = allCases.filter { $0 != .read }

    func make(on store: FaultyStore, _ key: StoreKey) async throws {
        let item = SecretBytes("new".utf8)
        switch self {
        case .read: _ = try await store.item(forKey: key)
        case .write: try await store.setItem(item, forKey: key)
        case .replace: _ = try await store.replaceItem(forKey: key, ifEquals: nil, with: item)
        case .remove: try await store.removeItem(forKey: key)
        case .removeExpected: _ = try await store.replaceItem(forKey: key, ifEquals: item, with: nil)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct FaultyStoreTests {
    private let store = FaultyStore()
    private let key: StoreKey
    private let item = SecretBytes("kept".utf8)

    init() throws {
        key = try StoreKey("session")
    }

    @Test(arguments: SecureStoreConformance.checks)
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
    private func `a locked store keeps its items and does not prompt`(
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
        await #expect(throws: SecureStoreError(.promptDismissed)) { try await store.unlock(timeout: .seconds(60)) }
        await #expect(throws: SecureStoreError(.locked)) { try await store.item(forKey: key) }
        store.lock(unlocking: true)
        try await store.unlock(timeout: .seconds(60))
        #expect(try await store.item(forKey: key) == item)
        #expect(store.promptCount == 2)
    }

    @Test func `a store that locks passes the check of unlocking, and one that prompts by itself does not`()
        async throws
    {
        try await SecureStoreConformance.checkUnlocking(
            store,
            locking: { store.lock(unlocking: true) },
            promptCount: { store.promptCount }
        )
        store.unlock()
        await #expect(throws: ConformanceFailure.self) {
            try await SecureStoreConformance.checkUnlocking(store, locking: {}, promptCount: { store.promptCount })
        }
        await #expect(throws: ConformanceFailure.self) {
            let count = Mutex(0)
            try await SecureStoreConformance.checkUnlocking(
                store,
                locking: { store.lock(unlocking: true) },
                promptCount: {
                    count.withLock {
                        $0 += 1; return $0
                    }
                }
            )
        }
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
