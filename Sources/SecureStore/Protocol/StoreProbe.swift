// SPDX-License-Identifier: Apache-2.0

internal import AuthCore

extension SecureStore {
    /// Writes, reads and removes a random value under a key that no item has.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` if the store can't be used (`damaged` if it returns another value);
    ///   `CancellationError`.
    public func probe(interaction: InteractionPolicy) async throws {
        let value = SecretBytes(RandomBytes.make(32))
        let key = try StoreKey("probe-\(RandomName.make())")
        let found: SecretBytes?
        do {
            try await setItem(value, forKey: key, interaction: interaction)
            // A keyring has just been unlocked; a keychain item may require the user's presence only here.
            found = try await item(forKey: key, interaction: interaction)
        } catch {
            // The value may have been written all the same. The first error says more than one of this clean-up.
            try? await removeItem(forKey: key)
            throw error
        }
        try await removeItem(forKey: key)
        guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
    }
}
