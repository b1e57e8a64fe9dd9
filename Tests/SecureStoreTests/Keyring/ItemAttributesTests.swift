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

    @Test func `an item is found by four attributes, none of which names a person or a schema`() {
        let expected = [
            "application": "sallyport", "service": "com.example.tests", "account": "default", "key": "session",
        ]
        #expect(attributes.query == expected)
    }

    @Test(arguments: ["xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE"])
    func `what a provider adds by itself does not make an item another's`(name: String) {
        #expect(attributes.match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["profile", "xdg:other", "title", ""])
    func `any other attribute makes an item another's`(name: String) {
        #expect(!attributes.match(attributes.query.merging([name: "added"]) { $1 }))
    }

    @Test(arguments: ["application", "service", "account", "key"])
    func `an attribute that is missing or different makes an item another's`(name: String) {
        #expect(!attributes.match(attributes.query.filter { $0.key != name }))
        #expect(!attributes.match(attributes.query.merging([name: "different"]) { $1 }))
    }
}
#endif
