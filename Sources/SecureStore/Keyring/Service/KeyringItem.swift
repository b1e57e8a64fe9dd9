// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// An item as a keyring describes it, without its secret.
struct KeyringItem: Comparable {
    let path: ObjectPath
    let attributes: [String: String]
    var modified: UInt64 = 0
    var created: UInt64 = 0

    /// Creates the only item with its attributes, so its times don't matter.
    init(path: ObjectPath, attributes: [String: String]) {
        self.path = path
        self.attributes = attributes
    }

    /// Reads an item's properties.
    ///
    /// - Throws: ``BusError`` if it has no attributes.
    init(_ path: ObjectPath, properties reply: [Variant]) throws {
        guard let attributes = reply.first?.member("Attributes")?.strings else {
            throw BusError(unexpectedReplyOf: "Attributes")
        }
        self.path = path
        self.attributes = attributes
        modified = reply.first?.member("Modified")?.uint64 ?? 0
        created = reply.first?.member("Created")?.uint64 ?? 0
    }

    /// Orders items from the oldest to the newest.
    ///
    /// Keyrings count in seconds. Of two items of the same second, the one with the later number in its path is the
    /// newer. In any case all processes pick the same one.
    static func < (left: Self, right: Self) -> Bool {
        left.order < right.order
    }

    private var order: (UInt64, UInt64, Int, String) {
        (modified, created, path.text.utf8.count, path.text)
    }
}
#endif
