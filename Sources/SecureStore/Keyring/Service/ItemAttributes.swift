// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// The attributes by which an item is found, all of them.
///
/// Sallyport's attributes hold the app's names and nothing that identifies the user, because keyrings store attributes
/// in plaintext.
struct ItemAttributes {
    /// The names and values; `application`, `service`, `account` and `key` for an item of Sallyport's.
    let query: [String: String]

    /// The attributes that providers add themselves: all add the schema, and KeePassXC the rest.
    private static let addedByProviders: Set<String> = [
        "xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE",
    ]

    /// Creates the attributes of one item.
    init(_ scope: StoreScope, key: StoreKey) {
        query = Self.all(of: scope).merging(["key": key.name]) { $1 }
    }

    /// Creates the complete attributes of another program's item.
    init(exactly attributes: [String: String]) {
        query = attributes
    }

    /// The value of `application` in an entry that a removed item has left behind.
    ///
    /// For a provider that deletes only with a prompt.
    enum Emptied: String, CaseIterable {
        /// No deletion prompt is open, and the next new item reuses the entry.
        case removed = "sallyport-removed"
        /// A deletion prompt may be open.
        ///
        /// No item reuses the entry, because a late confirmation would delete it.
        case deleting = "sallyport-deleting"
    }

    /// Returns the attributes of an emptied entry, which no search for an item finds.
    ///
    /// The names stay the same, because KeePassXC removes no attribute.
    static func emptied(_ found: [String: String], as state: Emptied) -> [String: String] {
        withoutAdditions(found).merging(["application": state.rawValue]) { $1 }
    }

    /// Returns the attributes that all items of a scope have in common.
    static func all(of scope: StoreScope) -> [String: String] {
        ["application": "sallyport", "service": scope.service.name, "account": scope.account.name]
    }

    /// Returns whether an item that a search found has exactly these attributes.
    ///
    /// A search also finds items that have more attributes.
    func match(_ found: [String: String]) -> Bool {
        Self.withoutAdditions(found) == query
    }

    /// The key of a keyring's probe, which no app's item has: ``StoreKey/init(_:)`` refuses it.
    static let probe = StoreKey(trusted: "~probe")

    /// Returns the key of an item that a search for a whole scope found; nil for another program's item.
    static func key(of found: [String: String], in scope: StoreScope) -> StoreKey? {
        let key = found["key"] == probe.name ? probe : found["key"].flatMap { try? StoreKey($0) }
        guard let key, ItemAttributes(scope, key: key).match(found) else { return nil }
        return key
    }

    private static func withoutAdditions(_ found: [String: String]) -> [String: String] {
        found.filter { !addedByProviders.contains($0.key) }
    }
}
#endif
