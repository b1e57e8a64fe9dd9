// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The calls without an interaction policy, which never prompt the user.
extension SecureStore {
    /// Reads an item, and never prompts.
    ///
    /// - Parameter key: The item's key.
    /// - Returns: The item, secret; nil only if its absence is proved.
    /// - Throws: ``SecureStoreError`` if the store can't tell; `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await item(forKey: key, interaction: .never)
    }

    /// Writes an item in place of the present one, and never prompts.
    ///
    /// - Parameters:
    ///   - item: The new item. Secret.
    ///   - key: The item's key.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await setItem(item, forKey: key, interaction: .never)
    }

    /// Removes an item, and never prompts.
    ///
    /// - Parameter key: The item's key.
    /// - Throws: ``SecureStoreError`` if the item may still be there; `CancellationError`.
    public func removeItem(forKey key: StoreKey) async throws {
        try await removeItem(forKey: key, interaction: .never)
    }

    /// Writes an item only if the present one is the expected one, and never prompts.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence. Secret.
    ///   - item: The new item. Secret.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes
    ) async throws -> Bool {
        try await replaceItem(forKey: key, ifEquals: expected, with: item, interaction: .never)
    }

    /// Removes an item only if it is the expected one, and never prompts.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        try await removeItem(forKey: key, ifEquals: expected, interaction: .never)
    }

    /// Returns the keys of all items, and never prompts.
    ///
    /// - Returns: The keys.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func keys() async throws -> Set<StoreKey> {
        try await keys(interaction: .never)
    }

    /// Removes all items, and never prompts.
    ///
    /// - Throws: ``SecureStoreError`` if an item may still be there; `CancellationError`.
    public func removeAll() async throws {
        try await removeAll(interaction: .never)
    }

    /// Checks whether the store can be used, and never prompts.
    ///
    /// - Throws: ``SecureStoreError`` if the store can't be used now; `CancellationError`.
    public func probe() async throws {
        try await probe(interaction: .never)
    }
}
