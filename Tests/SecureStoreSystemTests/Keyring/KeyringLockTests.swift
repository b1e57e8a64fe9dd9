// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import AuthCore
import SecureStore
import Testing
import TestSupport

@Suite(.needsKeyring) struct KeyringLockTests {
    private let item = SecretBytes(text: "kept behind the lock")

    @Test func `every call on a locked keyring throws locked`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.lock()
            try await expectLocked(store)
            try await keyring.unlock()
            #expect(try await store.item(forKey: .session) == item)
        }
    }

    @Test func `every call throws locked on a keyring that was never unlocked`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.kill()
            try await keyring.start(.cold)
            try await expectLocked(store)
            try await expectLocked(keyring.store())
            try await keyring.unlock()
            #expect(try await store.item(forKey: .session) == item)
            #expect(try await keyring.itemCount() == 1)
        }
    }

    @Test func `a missing item is not reported as absent while the keyring is locked`() async throws {
        try await PrivateKeyring.with { keyring in
            try await keyring.lock()
            try await expectLocked(keyring.store())
        }
    }

    @Test func `every call throws noCollection if the service has no default collection`() async throws {
        try await PrivateKeyring.with(.withoutCollection) { keyring in
            let store = try keyring.store()
            await #expect(throws: SecureStoreError(.noCollection)) { try await store.item(forKey: .session) }
            await #expect(throws: SecureStoreError(.noCollection)) { try await store.setItem(item, forKey: .session) }
            await #expect(throws: SecureStoreError(.noCollection)) { try await store.removeItem(forKey: .session) }
        }
    }

    @Test func `no call but unlock prompts or unlocks the keyring`() async throws {
        try await PrivateKeyring.with { keyring in
            let store = try keyring.store()
            try await store.setItem(item, forKey: .session)
            try await keyring.lock()
            let monitor = try await keyring.bus.monitor()
            try await expectLocked(store)
            try await expectLocked(keyring.store())
            _ = try await keyring.bus.hasOwner(of: "com.example.sentinel")
            let traffic = try await monitor.read(until: "com.example.sentinel")
            await monitor.end()
            #expect(traffic.contains("member=SearchItems"))
            #expect(!traffic.contains("org.freedesktop.Secret.Prompt"))
            #expect(!traffic.contains("Prompter"))
            #expect(!traffic.contains("member=Unlock"))
        }
    }

    private func expectLocked(_ store: KeyringStore) async throws {
        let locked = SecureStoreError(.locked)
        await #expect(throws: locked) { try await store.item(forKey: .session) }
        await #expect(throws: locked) { try await store.setItem(SecretBytes(text: "other"), forKey: .session) }
        await #expect(throws: locked) { try await store.removeItem(forKey: .session) }
        await #expect(throws: locked) { try await store.replaceItem(forKey: .session, ifEquals: item, with: nil) }
    }
}
#endif
