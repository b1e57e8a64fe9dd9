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

    /// A store whose calls throw errors that name the call and its policy.
    private struct RefusingStore: SecureStore {
        let scope = MemoryStore().scope
        var protection: StoreProtection { .memory }

        private func refuse(_ call: StoreCall, _ interaction: InteractionPolicy) throws {
            throw SecureStoreError(.full, detail: interaction == .never ? "never" : call.rawValue)
        }

        func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes? {
            try refuse(.item, interaction)
            return nil
        }

        func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws {
            try refuse(.setItem, interaction)
        }

        func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws {
            try refuse(.removeItem, interaction)
        }

        func replaceItem(
            forKey key: StoreKey,
            ifEquals expected: SecretBytes?,
            with item: SecretBytes,
            interaction: InteractionPolicy
        ) async throws -> Bool {
            try refuse(.replaceItem, interaction)
            return true
        }

        func removeItem(
            forKey key: StoreKey,
            ifEquals expected: SecretBytes,
            interaction: InteractionPolicy
        ) async throws -> Bool {
            try refuse(.removeItemIfEqual, interaction)
            return true
        }

        func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey> {
            try refuse(.keys, interaction)
            return []
        }

        func removeAll(interaction: InteractionPolicy) async throws { try refuse(.removeAll, interaction) }

        func deleteEmptiedItems(interaction: InteractionPolicy) async throws {
            try refuse(.deleteEmptiedItems, interaction)
        }

        func probe(interaction: InteractionPolicy) async throws { try refuse(.probe, interaction) }

        func diagnose() async -> StoreDiagnosis { StoreDiagnosis(protection: .memory, location: "here") }
    }

    private func perform(_ call: StoreCall, on store: any SecureStore) async throws {
        let (key, item) = (SessionRecord.key, SecretBytes([1]))
        let policy = InteractionPolicy.allowed(until: .now + .seconds(60))
        switch call {
        case .item: _ = try await store.item(forKey: key, interaction: policy)
        case .setItem: try await store.setItem(item, forKey: key, interaction: policy)
        case .removeItem: try await store.removeItem(forKey: key, interaction: policy)
        case .replaceItem:
            _ = try await store.replaceItem(forKey: key, ifEquals: nil, with: item, interaction: policy)
        case .removeItemIfEqual: _ = try await store.removeItem(forKey: key, ifEquals: item, interaction: policy)
        case .keys: _ = try await store.keys(interaction: policy)
        case .removeAll: try await store.removeAll(interaction: policy)
        case .deleteEmptiedItems: try await store.deleteEmptiedItems(interaction: policy)
        case .probe: try await store.probe(interaction: policy)
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
        if call != .deleteEmptiedItems, call != .probe {
            faults.delayCalls { clock.advance(by: .milliseconds(5)) }
        }
        try await perform(call, on: store)
        #expect(meter.recorded == [.storeCall(call, .success)])
        #expect(meter.durations == [call == .deleteEmptiedItems || call == .probe ? .zero : .milliseconds(5)])
    }

    @Test func `the scope, the protection and the diagnosis are those of the store`() async {
        let store = RefusingStore()
        let metered = MeteredStore(store, MeterDouble(), { .zero })
        #expect(metered.scope == store.scope)
        #expect(await metered.protection == .memory)
        #expect(await metered.diagnose().location == "here")
    }

    @Test(arguments: SecureStoreConformance.checks)
    func `a measured store keeps the promises of every store`(check: SecureStoreCheck) async throws {
        try await check.run(MeteredStore(MemoryStore(), MeterDouble(), { .zero }))
    }
}
