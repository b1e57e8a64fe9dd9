#if Keyring && canImport(CSecretService)
/// An item as a keyring describes it.
///
/// Its secret is not part of that.
struct KeyringItem: Comparable {
    let path: ObjectPath
    let attributes: [String: String]
    let modified: UInt64
    let created: UInt64

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
