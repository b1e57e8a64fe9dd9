// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct ItemAttributesTests {
    private let attributes: ItemAttributes

    init() throws {
        attributes = ItemAttributes(try StoreScope(service: "com.example.tests"), key: try StoreKey("session"))
    }

    private func match(_ found: [String: String]) -> Bool {
        attributes.match(found.map { (name: $0.key, value: $0.value) })
    }

    @Test func `a query has four attributes that identify neither the user nor a schema`() {
        let expected = [
            "application": "sallyport", "service": "com.example.tests", "account": "default", "key": "session",
        ]
        #expect(attributes.query == expected)
    }

    @Test(arguments: ["xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE"])
    func `an item matches despite an attribute that a provider adds`(name: String) {
        #expect(match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["profile", "xdg:other", "title", ""])
    func `an item with any other additional attribute does not match`(name: String) {
        #expect(!match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["application", "service", "account", "key"])
    func `an item with a missing or different attribute does not match`(name: String) {
        #expect(!match(attributes.query.filter { $0.key != name }))
        #expect(!match(attributes.query.merging([name: "different"]) { $1 }))
    }

    @Test func `attributes are compared byte for byte`() {
        let exact = ItemAttributes(exactly: ["user": "caf\u{E9}"])
        #expect(exact.match([(name: "user", value: "caf\u{E9}")]))
        #expect(!exact.match([(name: "user", value: "cafe\u{301}")]))
    }

    @Test func `an item with more attributes than a provider adds does not match`() {
        let many =
            attributes.query.map { (name: $0.key, value: $0.value) } + (0..<9).map { _ in (name: "Notes", value: "x") }
        #expect(!attributes.match(many))
    }
}
#endif
