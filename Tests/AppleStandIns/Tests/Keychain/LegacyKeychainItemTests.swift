// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import Security
import Testing

extension KeychainTests {
    /// The keychain item that an older version of an app left.
    @Suite struct LegacyKeychainItemTests {
        private let token = SecretBytes("older token".utf8)
        private let older: LegacyItem

        init() throws {
            older = .keychain(service: "com.example.older", account: "authToken")
        }

        private func put(
            _ text: String,
            account: String = "authToken",
            group: String? = nil,
            isSynchronizable: Bool = false
        ) {
            var attributes: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword,
                kSecAttrService: "com.example.older",
                kSecAttrAccount: account,
                kSecAttrSynchronizable: isSynchronizable,
                kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                kSecUseDataProtectionKeychain: true,
                kSecValueData: Data(text.utf8),
            ]
            attributes[kSecAttrAccessGroup] = group
            #expect(SecItemAdd(attributes, nil) == errSecSuccess)
        }

        @Test func `a legacy item is read by its account`() async throws {
            _ = try KeychainFixture()
            #expect(try await older.value() == nil)
            put("another account", account: "other")
            #expect(try await older.value() == nil)
            put("older token")
            #expect(try await older.value() == token)
        }

        /// Migrates an item to a store in memory, which removes it.
        private func migrate(_ item: LegacyItem) async throws {
            let key = try StoreKey("session")
            let store = try MigratingStore(MemoryStore(), migrating: key, from: [.init(item)])
            #expect(try await store.item(forKey: key) == token)
        }

        @Test func `a synchronized item is a different item`() async throws {
            let fixture = try KeychainFixture()
            put("older token", isSynchronizable: true)
            #expect(try await older.value() == nil)
            put("older token")
            try await migrate(older)
            #expect(fixture.keychain.items.map(\.isSynchronizable) == [true])
            let carried = LegacyItem.keychain(
                service: "com.example.older",
                account: "authToken",
                isSynchronized: true
            )
            #expect(try await carried.value() == token)
            try await migrate(carried)
            #expect(fixture.keychain.items.isEmpty)
        }

        @Test func `a migration removes the item in every group, and no other account's`() async throws {
            let fixture = try KeychainFixture()
            fixture.keychain.setGroups(["app", "family"])
            put("older token", group: "family")
            put("older token", group: "app")
            put("another account", account: "other")
            try await migrate(older)
            #expect(fixture.keychain.items.map(\.account) == ["other"])
        }

        @Test func `a legacy item throws locked while the device is locked`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            fixture.keychain.setDevice(.locked)
            #expect(await storeCode { try await older.value() } == .locked)
        }

        @Test func `the first read migrates a legacy item to the store`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            let store = try MigratingStore(fixture.store, migrating: fixture.key, from: [.init(older)])
            #expect(try await store.item(forKey: fixture.key) == token)
            #expect(try await fixture.store.item(forKey: fixture.key) == token)
            #expect(try await older.value() == nil)
        }
    }
}
