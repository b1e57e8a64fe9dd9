import AuthCore
import Foundation
import SecureStore
import Security
import Testing

extension KeychainTests {
    /// What an older version of an app left in the keychain.
    @Suite struct ForeignKeychainItemTests {
        private let token = SecretBytes("older token".utf8)
        private let older: ForeignKeychainItem

        init() throws {
            older = ForeignKeychainItem(
                try PlaceName("older-service"),
                service: "com.example.older",
                account: "authToken"
            )
        }

        private func put(_ text: String, account: String = "authToken", isSynchronizable: Bool = false) {
            _ = SecItemAdd(
                [
                    kSecClass: kSecClassGenericPassword,
                    kSecAttrService: "com.example.older",
                    kSecAttrAccount: account,
                    kSecAttrSynchronizable: isSynchronizable,
                    kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
                    kSecUseDataProtectionKeychain: true,
                    kSecValueData: Data(text.utf8),
                ],
                nil
            )
        }

        @Test(arguments: [false, true]) func `it is read, synchronised or not`(isSynchronizable: Bool) async throws {
            _ = try KeychainFixture()
            #expect(try await older.item() == nil)
            put("another account", account: "other")
            #expect(try await older.item() == nil)
            put("older token", isSynchronizable: isSynchronizable)
            #expect(try await older.item() == token)
        }

        @Test func `it is removed only where it still is the expected one`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            put("another account", account: "other")
            #expect(try await !older.removeItem(ifEquals: SecretBytes("newer".utf8)))
            #expect(try await older.item() == token)
            #expect(try await older.removeItem(ifEquals: token))
            #expect(try await older.removeItem(ifEquals: token))
            #expect(fixture.keychain.items.map(\.account) == ["other"])
        }

        @Test func `while it is locked it is not absent`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            fixture.keychain.setDevice(.locked)
            #expect(await storeCode { try await older.item() } == .locked)
            #expect(await storeCode { try await older.removeItem(ifEquals: token) } == .locked)
        }

        @Test func `its first read moves it to its new place`() async throws {
            let fixture = try KeychainFixture()
            put("older token")
            let store = try MigratingStore(fixture.store, migrating: fixture.key, from: [.init(older)])
            #expect(try await store.item(forKey: fixture.key) == token)
            #expect(try await fixture.store.item(forKey: fixture.key) == token)
            #expect(try await older.item() == nil)
        }
    }
}
