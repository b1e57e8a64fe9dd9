// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import Security
import Testing

extension KeychainTests {
    /// The attributes of an item in the keychain, which other versions of an app and its family rely on.
    @Suite struct KeychainItemTests {
        @Test func `an item is readable from the first unlock, on this device only, and is not synchronized`()
            async throws
        {
            let fixture = try KeychainFixture()
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            let item = try #require(fixture.keychain.items.first)
            #expect(item.service == "com.example.app")
            #expect(item.account == "default/session")
            #expect(item.group == "app")
            #expect(!item.isSynchronizable)
            #expect(item.accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
            #expect(item.data == Data("a token".utf8))
        }

        @Test(arguments: [
            (KeychainAccessibility.afterFirstUnlockThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly),
            (.whenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
            (.whenPasscodeSetThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly),
        ])
        func `the app can choose the accessibility`(chosen: KeychainAccessibility, attribute: String) async throws {
            let fixture = try KeychainFixture(accessibility: chosen)
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            #expect(fixture.store.accessibility == chosen)
            #expect(fixture.keychain.items.map(\.accessible) == [attribute])
        }

        @Test func `a write changes the accessibility of an existing item`() async throws {
            let fixture = try KeychainFixture(accessibility: .whenUnlockedThisDeviceOnly)
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            try await KeychainFixture.store().setItem(fixture.item, forKey: fixture.key)
            #expect(fixture.keychain.items.map(\.accessible) == [kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly])
        }

        @Test func `a write adds the item, or updates it if it exists`() async throws {
            let fixture = try KeychainFixture()
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            #expect(fixture.keychain.calls == [.add])
            try await fixture.store.setItem(SecretBytes("another".utf8), forKey: fixture.key)
            #expect(fixture.keychain.calls == [.add, .add, .update])
            #expect(fixture.keychain.items.map(\.data) == [Data("another".utf8)])
        }

        @Test func `a write succeeds if another app removes the item during it`() async throws {
            let fixture = try KeychainFixture(accessGroup: "family")
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            fixture.keychain.before(.update) {
                _ = SecItemDelete([kSecClass: kSecClassGenericPassword, kSecUseDataProtectionKeychain: true])
            }
            try await fixture.store.setItem(SecretBytes("another".utf8), forKey: fixture.key)
            #expect(fixture.keychain.items.map(\.data) == [Data("another".utf8)])
        }

        @Test func `accounts of one service have separate items`() async throws {
            let fixture = try KeychainFixture()
            let other = try KeychainFixture.store(account: "other")
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            #expect(try await other.item(forKey: fixture.key) == nil)
            try await other.removeItem(forKey: fixture.key)
            #expect(try await fixture.store.item(forKey: fixture.key) == fixture.item)
        }

        @Test func `apps with a common access group share its items`() async throws {
            let fixture = try KeychainFixture(accessGroup: "family")
            try await fixture.store.setItem(fixture.item, forKey: fixture.key)
            #expect(fixture.keychain.items.map(\.group) == ["family"])
            fixture.keychain.setGroups(["other app", "family"])
            #expect(try await KeychainFixture.store(accessGroup: "family").item(forKey: fixture.key) == fixture.item)
            fixture.keychain.setGroups(["stranger"])
            #expect(try await KeychainFixture.store().item(forKey: fixture.key) == nil)
        }
    }
}
