// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import SecureStore
import Testing

/// A value that older installs left in the user defaults; Foundation's own here, in a home directory that the script
/// creates.
@Suite struct UserDefaultsValueTests {
    private let suiteName = "sallyport.\(UUID().uuidString)"
    private let token = SecretBytes("older token".utf8)
    private let defaults: UserDefaults

    init() throws {
        defaults = try #require(UserDefaults(suiteName: suiteName))
    }

    private func older(_ key: String = "authToken") -> LegacyItem { .userDefault(key: key, suiteName: suiteName) }

    @Test func `a string is read, and a missing or empty value reads as absent`() async throws {
        #expect(try await older().value() == nil)
        defaults.set("older token", forKey: "authToken")
        #expect(try await older().value() == token)
        defaults.set("", forKey: "authToken")
        #expect(try await older().value() == nil)
    }

    @Test func `a value that is neither text nor number is damaged`() async throws {
        defaults.set([12], forKey: "authToken")
        #expect(await storeCode { try await older().value() } == .damaged)
    }

    @Test func `a number or a date is a value, as its text`() async throws {
        for (value, text) in [
            (42 as Any, "42"), (1.5, "1.5"), (Date(timeIntervalSince1970: 1_800_000_000.5), "1800000000.5"),
        ] {
            defaults.set(value, forKey: "tokenExpiry")
            #expect(try await older("tokenExpiry").value() == SecretBytes(text.utf8))
        }
    }

    @Test func `a migration removes the value and no other`() async throws {
        defaults.set("older token", forKey: "authToken")
        defaults.set("beside it", forKey: "theme")
        let key = try StoreKey("session")
        let store = try MigratingStore(MemoryStore(), migrating: key, from: [.init(older())])
        #expect(try await store.item(forKey: key) == token)
        #expect(defaults.object(forKey: "authToken") == nil)
        #expect(defaults.string(forKey: "theme") == "beside it")
    }
}
