// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(Glibc)
/// The methods and properties of the Secret Service that a store's calls use on a new connection.
enum StoreMethods {
    /// The methods used if the item exists twice.
    ///
    /// A write also deletes the older item, but its result does not depend on that. Secrets are read to find out which
    /// item counts.
    static let existing: [StoreOperation: [String]] = [
        .read: ["OpenSession", "SearchItems", "GetAll", "GetSecret"],
        .write: ["OpenSession", "SearchItems", "GetAll", "GetSecret", "SetSecret"],
        .replace: ["OpenSession", "SearchItems", "GetAll", "GetSecret", "SetSecret"],
        .remove: ["OpenSession", "SearchItems", "GetAll", "Delete", "ReadAlias", "Collections", "Locked"],
        .removeExpected: ["OpenSession", "SearchItems", "GetAll", "GetSecret", "Delete"],
    ]

    /// The methods used if no item exists.
    static let absent: [StoreOperation: [String]] = [
        .read: ["SearchItems", "ReadAlias", "Collections", "Locked"],
        .write: ["SearchItems", "ReadAlias", "Locked", "CreateItem"],
        .replace: ["SearchItems", "ReadAlias", "Collections", "Locked"],
    ]

    /// Returns each operation with each of its methods.
    static func pairs(_ methods: [StoreOperation: [String]]) -> [(StoreOperation, String)] {
        StoreOperation.allCases.flatMap { operation in (methods[operation] ?? []).map { (operation, $0) } }
    }
}
#endif
