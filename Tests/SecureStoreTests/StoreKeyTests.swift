import SecureStore
import Testing

@Suite struct StoreKeyTests {
    @Test(arguments: ["", " ", "a b", "a/b", "ä", "a\u{0}", "person@example.com", String(repeating: "a", count: 129)])
    func `a name that is empty, too long or not plain is refused`(name: String) {
        let invalid = SecureStoreError(.invalidName)
        #expect(throws: invalid) { try StoreKey(name) }
        #expect(throws: invalid) { try StoreService(name) }
        #expect(throws: invalid) { try StoreAccount(name) }
    }

    @Test(arguments: ["a", "com.example.app", "A-9_.", String(repeating: "a", count: 128)])
    func `a plain name is taken as it is`(name: String) throws {
        #expect(try StoreKey(name).name == name)
        #expect(try StoreService(name).description == name)
        #expect(try StoreAccount(name).description == name)
    }

    @Test func `the account of an app that has no others is called default`() throws {
        #expect(try StoreAccount("default") == .default)
    }
}
