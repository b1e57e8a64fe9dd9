// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
import Testing

@testable import SecureStore

@Suite struct ItemAttributesTests {
    private let attributes: ItemAttributes

    init() throws {
        attributes = ItemAttributes(
            StoreScope(service: try StoreService("com.example.tests")),
            key: try StoreKey("session")
        )
    }

    @Test func `a query has four attributes that identify neither the user nor a schema`() {
        let expected = [
            "application": "sallyport", "service": "com.example.tests", "account": "default", "key": "session",
        ]
        #expect(attributes.query == expected)
    }

    @Test(arguments: ["xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE"])
    func `an item matches despite an attribute that a provider adds`(name: String) {
        #expect(attributes.match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["profile", "xdg:other", "title", ""])
    func `an item with any other additional attribute does not match`(name: String) {
        #expect(!attributes.match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["application", "service", "account", "key"])
    func `an item with a missing or different attribute does not match`(name: String) {
        #expect(!attributes.match(attributes.query.filter { $0.key != name }))
        #expect(!attributes.match(attributes.query.merging([name: "different"]) { $1 }))
    }
}
#endif
