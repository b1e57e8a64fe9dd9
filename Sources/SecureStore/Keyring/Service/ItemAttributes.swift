#if Keyring && canImport(CSecretService)
/// What an item of ours is found by, and nothing that identifies a person: keyrings keep attributes in clear.
struct ItemAttributes {
    /// `application`, `service`, `account` and `key`.
    let query: [String: String]

    /// Added by providers themselves: the schema by all, the rest by KeePassXC.
    private static let addedByProviders: Set<String> = [
        "xdg:schema", "Notes", "Path", "Title", "URL", "UserName", "Uuid",
    ]

    init(service: StoreService, account: StoreAccount, key: StoreKey) {
        query = [
            "application": "sallyport",
            "service": service.name,
            "account": account.name,
            "key": key.name,
        ]
    }

    /// Whether an item that a search found is ours.
    ///
    /// A search also finds items that have more attributes.
    func match(_ found: [String: String]) -> Bool {
        found.filter { !Self.addedByProviders.contains($0.key) } == query
    }
}
#endif
