// SPDX-License-Identifier: Apache-2.0

import SecureStore
import Testing

@Suite struct StoreScopeTests {
    @Test(arguments: ["", " ", "a b", "a/b", "ä", "a\u{0}", "person@example.com", String(repeating: "a", count: 129)])
    func `a name that is empty or too long, or contains an invalid character, is rejected`(name: String) {
        let invalid = SecureStoreError(.invalidName)
        #expect(throws: invalid) { try StoreKey(name) }
        #expect(throws: invalid) { try StoreScope(service: name) }
        #expect(throws: invalid) { try StoreScope(service: "a", account: name) }
    }

    @Test(arguments: ["a", "com.example.app", "A-9_.", String(repeating: "a", count: 128)])
    func `a valid name is kept unchanged`(name: String) throws {
        let key = try StoreKey(name)
        #expect(key.name == name && key.description == name)
        #expect(try StoreScope(service: name).service == name)
        #expect(try StoreScope(service: "a", account: name).account == name)
    }

    @Test func `an account's name is derived from the bytes of a text of any characters`() throws {
        let texts = ["https://mcp.example/a", "https://mcp.example/A", "", "e\u{301}", "\u{E9}"]
        let accounts = texts.map { StoreScope.account(derivedFrom: $0) }
        #expect(Set(accounts).count == texts.count)
        for account in accounts { #expect(try StoreScope(service: "a", account: account).account == account) }
        // A stored session is found by this name: it must not change.
        #expect(accounts[2] == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `the default account is named default`() throws {
        #expect(try StoreScope(service: "a").account == "default")
    }
}
