// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

/// A provider that dies during a method: the call is not reported as done, and no item as absent.
@Suite(.needsScriptedKeyring) struct KeyringDeathTests {
    private let item = SecretBytes(text: "kept")
    // Two items, so that a write has one to delete.
    private static let present = [ScriptedKeyring.item("kept"), ScriptedKeyring.item("kept")]

    @Test(arguments: StoreMethods.pairs(StoreMethods.existing))
    func `a call on a present item throws noProvider if the provider dies in any method`(
        operation: StoreOperation,
        method: String
    ) async throws {
        try await expectDeath(in: method, of: operation, after: Self.present)
    }

    @Test(arguments: StoreMethods.pairs(StoreMethods.absent))
    func `a call that finds nothing throws noProvider if the provider dies in any method`(
        operation: StoreOperation,
        method: String
    ) async throws {
        try await expectDeath(in: method, of: operation, after: [])
    }

    @Test(arguments: StoreMethods.pairs(StoreMethods.existing))
    func `a call succeeds if another provider replaces a dead one at once`(
        operation: StoreOperation,
        method: String
    ) async throws {
        try await ScriptedKeyring.with(Self.present) { keyring in
            let store = try keyring.store()
            // The store connects first, so that its session belongs to the service that dies.
            if method != "OpenSession" { #expect(try await store.item(forKey: .session) == item) }
            try await keyring.say("hold \(method)")
            let before = try await keyring.calls(of: method)
            let call = Task { try await operation.run(on: store, expecting: item) }
            try await keyring.waitForCall(of: method, times: before + 1)
            try await keyring.replace(by: Self.present)
            try await call.value
        }
    }

    @Test func `a replacement that was made before the provider died is reported as made`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("kept")]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == item)
            try await keyring.say("hold SetSecret")
            let call = Task { [item] in
                try await store.replaceItem(forKey: .session, ifEquals: item, with: SecretBytes(text: "new"))
            }
            try await keyring.waitForCall(of: "SetSecret")
            try await keyring.replace(by: [ScriptedKeyring.item("new")])
            #expect(try await call.value)
        }
    }

    @Test func `the outcome of a write is unknown if the provider dies and returns locked`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("kept")]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == item)
            try await keyring.say("hold SetSecret")
            let call = Task { try await store.setItem(SecretBytes(text: "new"), forKey: .session) }
            try await keyring.waitForCall(of: "SetSecret")
            try await keyring.replace(by: [ScriptedKeyring.item("new"), "lock"])
            let error = await #expect(throws: SecureStoreError.self) { try await call.value }
            #expect(error?.isOutcomeUnknown == true)
        }
    }

    @Test func `the outcome of a removal is unknown if the provider dies and returns locked`() async throws {
        try await ScriptedKeyring.with([ScriptedKeyring.item("kept")]) { keyring in
            let store = try keyring.store()
            #expect(try await store.item(forKey: .session) == item)
            try await keyring.say("hold Delete")
            let call = Task { try await store.removeItem(forKey: .session) }
            try await keyring.waitForCall(of: "Delete")
            try await keyring.replace(by: ["lock"])
            let error = await #expect(throws: SecureStoreError.self) { try await call.value }
            #expect(error?.isOutcomeUnknown == true)
        }
    }

    @Test func `an item that another process wrote before a restart is not taken for a replacement of this call`()
        async throws
    {
        try await ScriptedKeyring.with([ScriptedKeyring.item("kept")]) { keyring in
            let store = try keyring.store()
            // The store connects first, so that the next call finds its connection stale before it writes.
            #expect(try await store.item(forKey: .session) == item)
            try await keyring.replace(by: [ScriptedKeyring.item("new")])
            let new = SecretBytes(text: "new")
            #expect(try await !store.replaceItem(forKey: .session, ifEquals: item, with: new))
            #expect(try await store.replaceItem(forKey: .session, ifEquals: new, with: item))
        }
    }

    private func expectDeath(in method: String, of operation: StoreOperation, after commands: [String]) async throws {
        try await ScriptedKeyring.with(commands + ["die \(method)"]) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.noProvider)) { try await operation.run(on: store, expecting: item) }
            #expect(await keyring.hasDied(), "\(method) was not called")
        }
    }
}
#endif
