// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore

/// A store that records the duration and the outcome of each call, and otherwise is the store behind it.
///
/// Records no key, no item and no scope.
struct MeteredStore: SecureStore {
    private let store: any SecureStore
    private let meter: any SessionMeter
    private let uptime: @Sendable () -> Duration

    init(_ store: any SecureStore, _ meter: any SessionMeter, _ uptime: @escaping @Sendable () -> Duration) {
        (self.store, self.meter, self.uptime) = (store, meter, uptime)
    }

    var scope: StoreScope { store.scope }

    var protection: StoreProtection { get async { await store.protection } }

    func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await measured(.item) { try await store.item(forKey: key) }
    }

    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await measured(.setItem) { try await store.setItem(item, forKey: key) }
    }

    func removeItem(forKey key: StoreKey) async throws {
        try await measured(.removeItem) { try await store.removeItem(forKey: key) }
    }

    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool {
        try await measured(.replaceItem) { try await store.replaceItem(forKey: key, ifEquals: expected, with: item) }
    }

    func unlock(timeout: Duration) async throws {
        try await measured(.unlock) { try await store.unlock(timeout: timeout) }
    }

    func probe() async throws {
        try await measured(.probe) { try await store.probe() }
    }

    private func measured<Value>(_ call: StoreCall, _ work: () async throws -> Value) async throws -> Value {
        let begunAt = uptime()
        do {
            let value = try await work()
            meter.record(uptime() - begunAt, of: .storeCall(call, .success))
            return value
        } catch {
            meter.record(uptime() - begunAt, of: .storeCall(call, MeasuredOutcome(error)))
            throw error
        }
    }
}
