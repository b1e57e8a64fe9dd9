// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import Foundation
import Testing
import TestSupport

@testable import SecureStore

/// The lock for changes to items, which belongs to the bus that the items are on.
@Suite(.needsScriptedKeyring) struct KeyringItemsLockTests {
    private let item = SecretBytes(text: "kept")

    @Test func `a keyring that hangs does not block a change on another bus`() async throws {
        try await ScriptedKeyring.with(["hold SearchItems"]) { hanging in
            let write = Task { [item] in try await hanging.store().setItem(item, forKey: .session) }
            try await hanging.waitForCall(of: "SearchItems")
            try await ScriptedKeyring.with { other in
                let scope = try StoreScope(service: hanging.service)
                let store = KeyringStore(scope: scope, deadline: .seconds(10), busAddress: other.address)
                try await store.setItem(item, forKey: .session)
                #expect(try await store.item(forKey: .session) == item)
            }
            try await hanging.say("release")
            try await write.value
        }
    }

    @Test func `a second change on the same bus throws busy, however the address is spelled`()
        async throws
    {
        try await ScriptedKeyring.with(["hold SearchItems"]) { keyring in
            let path = try #require(keyring.address.split(separator: ",").first { $0.hasPrefix("unix:") })
            let spelled = path.replacing("/", with: "%2f") + ",guid=" + (guid(of: keyring.address) ?? "")
            let write = Task { [item] in try await keyring.store().setItem(item, forKey: .session) }
            try await keyring.waitForCall(of: "SearchItems")
            let scope = try StoreScope(service: keyring.service)
            for address in [keyring.address, guid(of: keyring.address) == nil ? String(path) : spelled] {
                let store = KeyringStore(scope: scope, deadline: .seconds(2), busAddress: address)
                await #expect(throws: SecureStoreError(.busy)) { try await store.removeItem(forKey: .session) }
            }
            try await keyring.say("release")
            try await write.value
        }
    }

    @Test func `a change leaves no lock file of its bus behind`() async throws {
        try await ScriptedKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            let deadline = CallDeadline(in: .seconds(60))
            let bus = try SessionBus(address: keyring.address, deadline: deadline)
            let id = try #require(try bus.id(before: deadline))
            let path = try UserFolder.locks().file(ScopeFileName.of("items", store.scope, onBus: id))
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    private func guid(of address: String) -> String? {
        address.split(separator: ",").first { $0.hasPrefix("guid=") }.map { String($0.dropFirst(5)) }
    }
}
#endif
