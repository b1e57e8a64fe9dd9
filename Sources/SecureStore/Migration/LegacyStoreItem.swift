// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// An item of another store, for example under an older service name in the same keyring.
///
///     LegacyStoreItem(try StoreLocationName("older"), in: try KeyringStore(service: "com.goumuve.customer"), forKey:
///     key)
public struct LegacyStoreItem: LegacyItemSource {
    /// The name of the location.
    public let name: StoreLocationName
    private let store: any SecureStore
    private let key: StoreKey

    /// Describes an item.
    ///
    /// - Parameters:
    ///   - name: The name of the location.
    ///   - store: The store that keeps the item. Not the store that is migrated to.
    ///   - key: The item's key.
    public init(_ name: StoreLocationName, in store: any SecureStore, forKey key: StoreKey) {
        (self.name, self.store, self.key) = (name, store, key)
    }

    /// Reads the item.
    ///
    /// - Returns: The item, secret; nil only if its absence is proved.
    /// - Throws: The errors of the store.
    public func item() async throws -> SecretBytes? {
        try await store.item(forKey: key)
    }

    /// Removes the item only if it still is the expected one.
    ///
    /// - Parameter expected: The item that must be present. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: The errors of the store.
    public func removeItem(ifEquals expected: SecretBytes) async throws -> Bool {
        try await store.replaceItem(forKey: key, ifEquals: expected, with: nil)
    }
}
