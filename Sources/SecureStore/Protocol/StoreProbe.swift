internal import AuthCore

extension SecureStore {
    /// Writes, reads and removes a random value under a name that no item has.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` where the store can't be used (`damaged` where it gives back another value);
    ///   `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        let value = SecretBytes(RandomBytes.make(32))
        let key = try StoreKey("probe-\(RandomName.make())")
        let found: SecretBytes?
        do {
            try await setItem(value, forKey: key, interaction: interaction)
            // Without a prompt: it has just been unlocked.
            found = try await item(forKey: key)
        } catch {
            // It may be there all the same; the first error says more than one of the tidying up.
            try? await removeItem(forKey: key)
            throw error
        }
        try await removeItem(forKey: key)
        guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
    }
}
