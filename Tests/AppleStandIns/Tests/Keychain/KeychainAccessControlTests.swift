// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Dispatch
import SecureStore
import Security
import Testing

@testable import AuthSession

extension KeychainTests {
    /// Items that require the user's presence.
    @Suite struct KeychainAccessControlTests {
        private let keychain = StandInKeychain()
        private let key: StoreKey
        private let item = SecretBytes("a token".utf8)
        private let allowed = InteractionPolicy.allowed(until: .now + .seconds(60))

        init() throws {
            keychain.use()
            key = try StoreKey("session")
        }

        /// Returns a store of a new process.
        private func newStore(
            _ requirement: KeychainAccessControl.Requirement = .biometryCurrentSet
        ) throws -> KeychainStore {
            try KeychainStore(
                service: "com.example.app",
                accessControl: KeychainAccessControl(requirement, reason: "Open your session")
            )
        }

        @Test(arguments: [
            (KeychainAccessControl.Requirement.userPresence, SecAccessControlCreateFlags.userPresence),
            (.biometryAny, .biometryAny),
            (.biometryCurrentSet, .biometryCurrentSet),
            (.devicePasscode, .devicePasscode),
        ])
        func `an item has the requirement together with the accessibility`(
            requirement: KeychainAccessControl.Requirement,
            flags: SecAccessControlCreateFlags
        ) async throws {
            try await newStore(requirement).setItem(item, forKey: key)
            let found = try #require(keychain.items.first)
            #expect(found.flags == flags)
            #expect(found.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
            #expect(keychain.prompts.isEmpty)
        }

        @Test func `a call that may not prompt throws locked`() async throws {
            try await newStore().setItem(item, forKey: key)
            let store = try newStore()
            #expect(await storeCode { try await store.item(forKey: key) } == .locked)
            #expect(await storeCode { try await store.setItem(item, forKey: key) } == .locked)
            #expect(await storeCode { try await store.replaceItem(forKey: key, ifEquals: item, with: item) } == .locked)
            #expect(await storeCode { try await store.replaceItem(forKey: key, ifEquals: item, with: nil) } == .locked)
            let past = InteractionPolicy.allowed(until: .now - .seconds(1))
            #expect(await storeCode { try await store.item(forKey: key, interaction: past) } == .locked)
            #expect(keychain.prompts.isEmpty)
            // The names of the items need no proof.
            #expect(try await store.keys() == [key])
        }

        @Test func `one prompt, with its reason, opens the store for the later calls of the process`() async throws {
            try await newStore().setItem(item, forKey: key)
            let store = try newStore()
            #expect(try await store.item(forKey: key, interaction: allowed) == item)
            let other = SecretBytes("another token".utf8)
            #expect(try await store.item(forKey: key) == item)
            #expect(try await store.replaceItem(forKey: key, ifEquals: item, with: other))
            try await store.setItem(item, forKey: key)
            #expect(try await store.replaceItem(forKey: key, ifEquals: item, with: nil))
            #expect(keychain.prompts == ["Open your session"])
        }

        @Test func `a prompt that the user cancels throws promptDismissed, and the next call asks again`() async throws
        {
            try await newStore().setItem(item, forKey: key)
            let store = try newStore()
            keychain.setUser(.cancels)
            let cancelled = await storeCode { try await store.item(forKey: key, interaction: allowed) }
            #expect(cancelled == .promptDismissed)
            keychain.setUser(.fails)
            #expect(await storeCode { try await store.setItem(item, forKey: key, interaction: allowed) } == .denied)
            #expect(keychain.items.count == 1)
            keychain.setUser(.present)
            #expect(try await store.item(forKey: key, interaction: allowed) == item)
            #expect(keychain.prompts.count == 3)
        }

        @Test func `a prompt may take longer than a call`() async throws {
            try await newStore().setItem(item, forKey: key)
            let store = KeychainStore(
                scope: try newStore().scope,
                accessControl: KeychainAccessControl(.biometryAny, reason: "Open your session"),
                deadline: .milliseconds(1)
            )
            // The user answers only after the deadline of a call.
            keychain.before(.copy) { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20)) }
            #expect(try await store.item(forKey: key, interaction: allowed) == item)
        }

        @Test func `a probe asks the user, and an item of an earlier version gets the requirement at its next write`()
            async throws
        {
            let before = try KeychainStore(service: "com.example.app")
            try await before.setItem(item, forKey: key)
            let store = try newStore()
            // Readable until then.
            #expect(try await store.item(forKey: key) == item)
            try await store.setItem(item, forKey: key)
            #expect(keychain.items.map(\.flags) == [.biometryCurrentSet])
            try await store.probe(interaction: allowed)
            #expect(keychain.prompts.count == 1)
            #expect(try await store.item(forKey: key) == item)
        }

        @Test func `a session is locked until the user has opened the store`() async throws {
            let (clock, backend) = (TestClock(), Backend())
            let sessionBackend = try Fixture.sessionBackend()
            let transport = ScriptedTransport { try await backend.response(to: $0) }
            func session(_ store: KeychainStore) -> AuthSession {
                AuthSession(
                    backend: sessionBackend,
                    store: store,
                    transport: transport,
                    now: { clock.date },
                    clock: clock,
                    options: .still
                )
            }
            let first = session(try newStore())
            let password = Password("hunter2")
            let user = try await first.signIn(email: "ada@example.org", password: password, device: Fixture.device)
            let store = try newStore()
            let later = session(store)
            await later.restore(validating: false)
            #expect(later.state == .locked(SecureStoreError(.locked)))
            try await store.probe(interaction: allowed)
            await later.restore(validating: false)
            #expect(later.state == .signedIn(user, .online))
            // The writes of a refresh, in the background, ask no one.
            try await later.refresh()
            #expect(await later.persistenceError == nil)
            #expect(keychain.prompts.count == 1)
        }
    }
}
