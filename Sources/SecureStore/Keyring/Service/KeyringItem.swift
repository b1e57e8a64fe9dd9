#if Keyring && canImport(CSecretService)
/// An item as a keyring describes it.
///
/// Its secret is not part of that.
struct KeyringItem: Comparable {
    let path: ObjectPath
    let attributes: [String: String]
    var modified: UInt64 = 0
    var created: UInt64 = 0

    /// Names an item of which there is no other: when it was made does not matter.
    init(path: ObjectPath, attributes: [String: String]) {
        self.path = path
        self.attributes = attributes
    }

    /// Reads what an item says of itself.
    ///
    /// - Throws: ``BusFault`` where it has no attributes.
    init(_ path: ObjectPath, properties reply: [Variant]) throws {
        guard let attributes = reply.first?.member("Attributes")?.strings else {
            throw BusFault(unexpectedReplyOf: "Attributes")
        }
        self.path = path
        self.attributes = attributes
        modified = reply.first?.member("Modified")?.uint64 ?? 0
        created = reply.first?.member("Created")?.uint64 ?? 0
    }

    /// Older first.
    ///
    /// Keyrings count in seconds; of two items of one second the one with the later number in its path is the newer,
    /// and in any case all processes pick the same one.
    static func < (left: Self, right: Self) -> Bool {
        left.order < right.order
    }

    private var order: (UInt64, UInt64, Int, String) {
        (modified, created, path.text.utf8.count, path.text)
    }
}
#endif
