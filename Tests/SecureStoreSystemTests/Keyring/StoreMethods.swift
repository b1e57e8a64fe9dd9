#if Keyring && canImport(Glibc)
/// Which methods and properties of the Secret Service a store's calls use, on a connection of their own.
enum StoreMethods {
    /// Where the item is there, twice.
    ///
    /// A write also deletes the older one, which decides nothing any more.
    static let existing: [StoreOperation: [String]] = [
        .read: ["OpenSession", "SearchItems", "GetAll", "GetSecret"],
        .write: ["OpenSession", "SearchItems", "GetAll", "SetSecret"],
        .replace: ["OpenSession", "SearchItems", "GetAll", "GetSecret", "SetSecret"],
        .remove: ["OpenSession", "SearchItems", "GetAll", "Delete"],
        .removeExpected: ["OpenSession", "SearchItems", "GetAll", "GetSecret", "Delete"],
        .listKeys: ["OpenSession", "SearchItems", "GetAll", "ReadAlias", "Collections", "Locked"],
        .removeAll: ["OpenSession", "SearchItems", "GetAll", "Delete", "ReadAlias", "Collections", "Locked"],
    ]

    /// Where nothing is there.
    static let absent: [StoreOperation: [String]] = [
        .read: ["SearchItems", "ReadAlias", "Collections", "Locked"],
        .write: ["SearchItems", "ReadAlias", "Locked", "CreateItem"],
        .replace: ["SearchItems", "ReadAlias", "Collections", "Locked"],
        .listKeys: ["SearchItems", "ReadAlias", "Collections", "Locked"],
        .removeAll: ["SearchItems", "ReadAlias", "Collections", "Locked"],
    ]

    /// Each operation with each method it uses.
    static func pairs(_ methods: [StoreOperation: [String]]) -> [(StoreOperation, String)] {
        StoreOperation.allCases.flatMap { operation in (methods[operation] ?? []).map { (operation, $0) } }
    }
}
#endif
