#if Keyring && canImport(CSecretService)
/// What an item is found by: all its attributes.
///
/// Ours hold the app's names and nothing that identifies a person: keyrings keep attributes in clear.
struct ItemAttributes {
    /// Of an item of ours: `application`, `service`, `account` and `key`.
    let query: [String: String]

    /// Added by providers themselves: the schema by all, the rest by KeePassXC.
    private static let addedByProviders: Set<String> = [
        "xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid", "FDO_SECRETS_CONTENT_TYPE",
    ]

    /// The attributes of one item.
    init(_ scope: StoreScope, key: StoreKey) {
        query = Self.all(of: scope).merging(["key": key.name]) { $1 }
    }

    /// The attributes of another program's item, all of them.
    init(exactly attributes: [String: String]) {
        query = attributes
    }

    /// The attributes of a removed item: an empty shell that no search for an item finds.
    ///
    /// For a provider that deletes nothing without a prompt. Same names, for KeePassXC takes none away.
    static func removed(_ found: [String: String]) -> [String: String] {
        withoutAdditions(found).merging(["application": "sallyport-removed"]) { $1 }
    }

    /// What all items of a scope have in common.
    static func all(of scope: StoreScope) -> [String: String] {
        ["application": "sallyport", "service": scope.service.name, "account": scope.account.name]
    }

    /// Whether an item that a search found is the one meant.
    ///
    /// A search also finds items that have more attributes.
    func match(_ found: [String: String]) -> Bool {
        Self.withoutAdditions(found) == query
    }

    /// The key of an item that a search for all of a scope found; nil for an item that is not ours.
    static func key(of found: [String: String], in scope: StoreScope) -> StoreKey? {
        guard let key = found["key"].flatMap({ try? StoreKey($0) }) else { return nil }
        return ItemAttributes(scope, key: key).match(found) ? key : nil
    }

    private static func withoutAdditions(_ found: [String: String]) -> [String: String] {
        found.filter { !addedByProviders.contains($0.key) }
    }
}
#endif
