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
        private let older: LegacyKeychainItem

        init() throws {
            older = LegacyKeychainItem(
                try StoreLocationName("older-service"),
                service: "com.example.older",
                account: "authToken"
            )
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
            #expect(try await older.item() == nil)
            put("another account", account: "other")
            #expect(try await older.item() == nil)
            put("older token")
            #expect(try await older.item() == token)
        }

        @Test func `a synchronized item is a different item`() async throws {
            let fixture = try KeychainFixture()
            put("older token", isSynchronizable: true)
            #expect(try await older.item() == nil)
            put("older token")
            #expect(try await older.removeItem(ifEquals: token))
            #expect(fixture.keychain.items.map(\.isSynchronizable) == [true])
            let carried = LegacyKeychainItem(
                try StoreLocationName("older-service"),
                service: "com.example.older",
                account: "authToken",
                isSynchronized: true
            )
            #expect(try await carried.item() == token)
            #expect(try await carried.removeItem(ifEquals: token))
            #expect(fixture.keychain.items.isEmpty)
        }

        @Test func `a removal deletes an item in another group only if it is equal`() async throws {
            let fixture = try KeychainFixture()
            fixture.keychain.setGroups(["app", "family", "more"])
            put("older token", group: "family")
            put("older token", group: "app")
            put("another token", group: "more")
            #expect(try await !older.removeItem(ifEquals: token))
            #expect(fixture.keychain.items.map(\.group) == ["more"])
        }

        @Test func `a legacy item is removed only if it equals the expected one`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            put("another account", account: "other")
            #expect(try await !older.removeItem(ifEquals: SecretBytes("newer".utf8)))
            #expect(try await older.item() == token)
            #expect(try await older.removeItem(ifEquals: token))
            #expect(try await older.removeItem(ifEquals: token))
            #expect(fixture.keychain.items.map(\.account) == ["other"])
        }

        @Test func `a legacy item throws locked while the device is locked`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            fixture.keychain.setDevice(.locked)
            #expect(await storeCode { try await older.item() } == .locked)
            #expect(await storeCode { try await older.removeItem(ifEquals: token) } == .locked)
        }

        @Test func `the first read migrates a legacy item to the store`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            let store = try MigratingStore(fixture.store, migrating: fixture.key, from: [.init(older)])
            #expect(try await store.item(forKey: fixture.key) == token)
            #expect(try await fixture.store.item(forKey: fixture.key) == token)
            #expect(try await older.item() == nil)
        }
    }
}
