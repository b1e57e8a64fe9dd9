// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import SecureStore
import Synchronization
import Testing

@testable import AuthSession

@Suite struct MeteredStoreTests {
    /// A meter that keeps what it is given.
    private final class MeterDouble: SessionMeter {
        private let records = Mutex<[(metric: SessionMetric, duration: Duration)]>([])

        var recorded: [SessionMetric] { records.withLock { $0.map(\.metric) } }
        var durations: [Duration] { records.withLock { $0.map(\.duration) } }

        func record(_ duration: Duration, of metric: SessionMetric) {
            records.withLock { $0.append((metric, duration)) }
        }

        func count(_ metric: SessionMetric) { record(.zero, of: metric) }
    }

    /// A store whose calls throw errors that name the call.
    private struct RefusingStore: SecureStore {
        let scope = MemoryStore().scope
        var protection: StoreProtection { .memory }

        private func refuse(_ call: StoreCall) -> SecureStoreError { SecureStoreError(.full, detail: call.rawValue) }

        func item(forKey key: StoreKey) async throws -> SecretBytes? { throw refuse(.item) }

        func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws { throw refuse(.setItem) }

        func removeItem(forKey key: StoreKey) async throws { throw refuse(.removeItem) }

        func replaceItem(
            forKey key: StoreKey,
            ifEquals expected: SecretBytes?,
            with item: SecretBytes?
        ) async throws -> Bool { throw refuse(.replaceItem) }

        func unlock(timeout: Duration) async throws {
            throw timeout == .seconds(60) ? refuse(.unlock) : SecureStoreError(.failed)
        }

        func probe() async throws { throw refuse(.probe) }
    }

    private func perform(_ call: StoreCall, on store: any SecureStore) async throws {
        let (key, item) = (SessionRecord.key, SecretBytes([1]))
        switch call {
        case .item: _ = try await store.item(forKey: key)
        case .setItem: try await store.setItem(item, forKey: key)
        case .removeItem: try await store.removeItem(forKey: key)
        case .replaceItem: _ = try await store.replaceItem(forKey: key, ifEquals: nil, with: item)
        case .unlock: try await store.unlock(timeout: .seconds(60))
        case .probe: try await store.probe()
        }
    }

    @Test(arguments: StoreCall.allCases)
    func `each call is passed on unchanged and recorded once with its error's code`(call: StoreCall) async throws {
        let meter = MeterDouble()
        let store = MeteredStore(RefusingStore(), meter, { .zero })
        let error = await #expect(throws: SecureStoreError.self) { try await perform(call, on: store) }
        #expect(error?.detail == call.rawValue)
        #expect(meter.recorded.map(\.name) == ["sallyport.session.store.duration"])
        let labels = try #require(meter.recorded.first?.labels)
        #expect(Dictionary(uniqueKeysWithValues: labels) == ["operation": call.rawValue, "outcome": "full"])
    }

    @Test(arguments: StoreCall.allCases)
    func `a call that succeeds is recorded once with its duration`(call: StoreCall) async throws {
        let (meter, clock, faults) = (MeterDouble(), TestClock(), FaultyStore())
        let begin = clock.now
        let store = MeteredStore(faults, meter, { begin.duration(to: clock.now) })
        if call != .unlock, call != .probe {
            faults.delayCalls { clock.advance(by: .milliseconds(5)) }
        }
        try await perform(call, on: store)
        #expect(meter.recorded == [.storeCall(call, .success)])
        #expect(meter.durations == [call == .unlock || call == .probe ? .zero : .milliseconds(5)])
    }

    @Test func `the scope and the protection are those of the store`() async {
        let store = RefusingStore()
        let metered = MeteredStore(store, MeterDouble(), { .zero })
        #expect(metered.scope == store.scope)
        #expect(await metered.protection == .memory)
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `a measured store keeps the promises of every store`(check: SecureStoreCheck) async throws {
        try await check.run(MeteredStore(MemoryStore(), MeterDouble(), { .zero }))
    }
}
