public import AuthCore

/// An item of another store: under an older service name in the same keyring, say.
///
///     OlderStoreItem("older-service", in: try KeyringStore(service: "com.goumuve.customer"), forKey: key)
public struct OlderStoreItem: OlderPlace {
    /// What the place is called.
    public let name: PlaceName
    private let store: any SecureStore
    private let key: StoreKey

    /// Names an item.
    ///
    /// - Parameters:
    ///   - name: What the place is called.
    ///   - store: What keeps the item. Not the store that is migrated to.
    ///   - key: Under which name.
    public init(_ name: PlaceName, in store: any SecureStore, forKey key: StoreKey) {
        (self.name, self.store, self.key) = (name, store, key)
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret; nil only where it is proved that there is none.
    /// - Throws: What the store throws.
    public func item() async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// Removes the item only where it still is the expected one.
    ///
    /// - Parameter expected: What it must be. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: What the store throws.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await store.removeItem(forKey: key, ifEquals: expected)
    }
}
