public import AuthCore

/// The calls as they are mostly made: without asking the person anything.
extension SecureStore {
    /// Reads an item, and never prompts.
    ///
    /// - Parameter key: Which one.
    /// - Returns: The item, secret; nil only where it is proved that there is none.
    /// - Throws: ``SecureStoreError`` where the store can't say; `CancellationError`.
    public func item(forKey key: StoreKey) async throws -> SecretBytes? {
        try await item(forKey: key, interaction: .never)
    }

    /// Writes an item in place of the one that is there, and never prompts.
    ///
    /// - Parameters:
    ///   - item: What to keep. Secret.
    ///   - key: Under which name.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws {
        try await setItem(item, forKey: key, interaction: .never)
    }

    /// Removes an item, and never prompts.
    ///
    /// - Parameter key: Which one.
    /// - Throws: ``SecureStoreError`` where it may still be there; `CancellationError`.
    public func removeItem(forKey key: StoreKey) async throws {
        try await removeItem(forKey: key, interaction: .never)
    }

    /// Writes an item only where the present one is the expected one, and never prompts.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret.
    ///   - item: What to keep. Secret.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes
    ) async throws -> Bool {
        try await replaceItem(forKey: key, ifEquals: expected, with: item, interaction: .never)
    }

    /// Removes an item only where it is the expected one, and never prompts.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be. Secret.
    /// - Returns: Whether the item is gone.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool {
        try await removeItem(forKey: key, ifEquals: expected, interaction: .never)
    }

    /// The names of all items, without a prompt.
    ///
    /// - Returns: The names.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    public func keys() async throws -> Set<StoreKey> {
        try await keys(interaction: .never)
    }

    /// Removes all items, and never prompts.
    ///
    /// - Throws: ``SecureStoreError`` where one may still be there; `CancellationError`.
    public func removeAll() async throws {
        try await removeAll(interaction: .never)
    }

    /// Finds out whether the store can be used, and never prompts.
    ///
    /// - Throws: ``SecureStoreError`` where it can't be used now; `CancellationError`.
    public func probe() async throws {
        try await probe(interaction: .never)
    }
}
