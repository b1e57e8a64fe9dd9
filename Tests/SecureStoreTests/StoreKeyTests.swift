// SPDX-License-Identifier: Apache-2.0

import SecureStore
import Testing

@Suite struct StoreKeyTests {
    @Test(arguments: ["", " ", "a b", "a/b", "ä", "a\u{0}", "person@example.com", String(repeating: "a", count: 129)])
    func `a name that is empty or too long, or contains an invalid character, is rejected`(name: String) {
        let invalid = SecureStoreError(.invalidName)
        #expect(throws: invalid) { try StoreKey(name) }
        #expect(throws: invalid) { try StoreService(name) }
        #expect(throws: invalid) { try StoreAccount(name) }
    }

    @Test(arguments: ["a", "com.example.app", "A-9_.", String(repeating: "a", count: 128)])
    func `a valid name is kept unchanged`(name: String) throws {
        #expect(try StoreKey(name).name == name)
        #expect(try StoreService(name).description == name)
        #expect(try StoreAccount(name).description == name)
    }

    @Test func `the default account is named default`() throws {
        #expect(try StoreAccount("default") == .default)
    }
}
