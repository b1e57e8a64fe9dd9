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
    private let older: UserDefaultsValue
    private let defaults: UserDefaults

    init() throws {
        older = UserDefaultsValue(try StoreLocationName("defaults"), suiteName: suiteName)
        defaults = try #require(UserDefaults(suiteName: suiteName))
    }

    @Test func `a string is read, and a missing or empty value reads as absent`() async throws {
        #expect(try await older.item() == nil)
        defaults.set("older token", forKey: "authToken")
        #expect(try await older.item() == token)
        defaults.set("", forKey: "authToken")
        #expect(try await older.item() == nil)
    }

    @Test func `a value that is not a string is damaged and stays`() async throws {
        defaults.set(12, forKey: "authToken")
        #expect(await storeCode { try await older.item() } == .damaged)
        #expect(await storeCode { try await older.removeItem(ifEquals: token) } == .damaged)
        #expect(defaults.integer(forKey: "authToken") == 12)
    }

    @Test func `a number or a date is a value if it is accepted`() async throws {
        let older = UserDefaultsValue(
            try StoreLocationName("defaults"),
            key: "tokenExpiry",
            suiteName: suiteName,
            acceptsNumbers: true
        )
        for (value, text) in [
            (42 as Any, "42"), (1.5, "1.5"), (Date(timeIntervalSince1970: 1_800_000_000.5), "1800000000.5"),
        ] {
            defaults.set(value, forKey: "tokenExpiry")
            #expect(try await older.item() == SecretBytes(text.utf8))
        }
        defaults.set([1], forKey: "tokenExpiry")
        #expect(await storeCode { try await older.item() } == .damaged)
    }

    @Test func `a value is removed only if it equals the expected one`() async throws {
        defaults.set("older token", forKey: "authToken")
        defaults.set("beside it", forKey: "theme")
        #expect(try await !older.removeItem(ifEquals: SecretBytes("newer".utf8)))
        #expect(try await older.item() == token)
        #expect(try await older.removeItem(ifEquals: token))
        #expect(try await older.removeItem(ifEquals: token))
        #expect(defaults.string(forKey: "theme") == "beside it")
    }
}
