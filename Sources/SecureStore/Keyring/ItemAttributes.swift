// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// The attributes by which an item is found, all of them.
///
/// Sallyport's attributes hold the app's names and nothing that identifies the user, because keyrings store attributes
/// in plaintext.
struct ItemAttributes {
    /// The names and values; `application`, `service`, `account` and `key` for an item of Sallyport's.
    let query: [String: String]
    /// The name under which a keyring's window shows a new item.
    let label: String

    /// The attributes that providers add themselves: all add the schema, and KeePassXC the rest.
    private static let addedByProviders: Set<String> = [
        "xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE",
    ]

    /// The key of a keyring's probe, which no app's item has: ``StoreKey/init(_:)`` refuses it.
    static let probe = StoreKey(trusted: "~probe")

    /// Creates the attributes of one item.
    init(_ scope: StoreScope, key: StoreKey) {
        query = Self.all(of: scope).merging(["key": key.name]) { $1 }
        label = "Sallyport: \(scope.service) (\(scope.account))"
    }

    /// Creates the complete attributes of another program's item.
    init(exactly attributes: [String: String]) {
        (query, label) = (attributes, "")
    }

    /// Returns the attributes that all items of a scope have in common.
    static func all(of scope: StoreScope) -> [String: String] {
        ["application": "sallyport", "service": scope.service, "account": scope.account]
    }

    /// Returns whether an item that a search found has exactly these attributes, byte for byte.
    ///
    /// A search also finds items that have more attributes.
    func match(_ found: [KeyringItem.Attribute]) -> Bool {
        guard found.count <= query.count + Self.addedByProviders.count else { return false }
        let own = found.filter { !Self.addedByProviders.contains($0.name) }
        return own.count == query.count
            && query.allSatisfy { name, value in
                // Strings with other bytes may be equal, for example an accent written in two ways.
                own.contains { $0.name.utf8.elementsEqual(name.utf8) && $0.value.utf8.elementsEqual(value.utf8) }
            }
    }
}

/// An item as a keyring describes it, without its secret.
struct KeyringItem {
    typealias Attribute = (name: String, value: String)

    let path: ObjectPath
    let attributes: [Attribute]
    // The times don't matter for the only item with its attributes.
    var modified: UInt64 = 0
    var created: UInt64 = 0

    /// The order from the oldest to the newest.
    ///
    /// Keyrings count in seconds. Of two items of the same second, the one with the later number in its path is the
    /// newer. In any case all processes pick the same one.
    var order: (UInt64, UInt64, Int, String) { (modified, created, path.text.utf8.count, path.text) }
}
#endif
