// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A location that keeps small secrets for one service and account.
///
/// A read has three outcomes: the item, nil if its absence is *proved*, or a ``SecureStoreError`` if the store can't
/// tell. "Locked" is never "absent": a caller that confuses the two signs users out.
///
/// No call prompts the user or unlocks anything unless its ``InteractionPolicy`` allows it. A call has a bounded wait,
/// and returns at once when the task is cancelled. A change in progress may then still be made. Processes share the
/// store: between two calls another process may have written.
///
/// `SecureStoreConformance` in `AuthTesting` tests your own stores for all of this.
public protocol SecureStore: Sendable {
    /// The service and account of the items.
    ///
    /// Two stores of one scope and one location show the same items.
    var scope: StoreScope { get }

    /// The strength of the location's protection, as far as it can be known without a prompt.
    var protection: StoreProtection { get async }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Returns: The item, secret; nil only if its absence is proved.
    /// - Throws: ``SecureStoreError`` if the store can't tell, with every code for which
    ///   ``SecureStoreError/isUnavailable`` is true; `CancellationError`.
    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes?

    /// Writes an item completely, in place of the present one.
    ///
    /// A reader sees the old or the new item, never a gap between them.
    ///
    /// - Parameters:
    ///   - item: The new item; at most ``StoreLimits/maximumItemSize`` bytes of any content. Secret.
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError``; `CancellationError`. The old item is still there, unless
    ///   ``SecureStoreError/isOutcomeUnknown`` is true or the task was cancelled: then either may be there.
    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws

    /// Removes an item.
    ///
    /// An absent item is not an error.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` if the item may still be there; `CancellationError`.
    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws

    /// Writes an item only if the present one still is the expected one, so that a concurrent write stays.
    ///
    /// Of several concurrent calls with the same expectation exactly one succeeds, in whatever processes they run.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present; nil for absence. Secret; compared in constant time.
    ///   - item: The new item. Secret.
    ///   - interaction: The policy for prompts.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool

    /// Removes an item only if it still is the expected one, so that a concurrent write stays.
    ///
    /// - Parameters:
    ///   - key: The item's key.
    ///   - expected: The item that must be present. Secret; compared in constant time.
    ///   - interaction: The policy for prompts.
    /// - Returns: Whether the item is gone; false if another item is present.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool

    /// Returns the keys of all items of this scope.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Returns: The complete set of keys; empty only if it is proved that there is no item.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey>

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` if an item may still be there; `CancellationError`.
    func removeAll(interaction: InteractionPolicy) async throws

    /// Deletes the entries that removed items left behind in a keyring that deletes only with a prompt.
    ///
    /// Shows the keyring's prompts if the policy allows it. A removal shows no such prompt and leaves an emptied entry
    /// instead. The result does not depend on the user's answer, so the call returns too if the user declines or time
    /// is up. A store that deletes without a prompt needs no implementation: the default does nothing.
    ///
    /// - Parameter interaction: The policy for prompts, with the time until which to wait.
    /// - Throws: ``SecureStoreError`` if the store can't be used now; `CancellationError`.
    func deleteEmptiedItems(interaction: InteractionPolicy) async throws

    /// Checks before a sign-in whether the store can be used: writes, reads and removes a value of its own.
    ///
    /// - Parameter interaction: The policy for prompts.
    /// - Throws: ``SecureStoreError`` if the store can't be used now; `CancellationError`.
    func probe(interaction: InteractionPolicy) async throws

    /// Examines the location, and reports a problem and its remedy.
    ///
    /// - Returns: The findings. Holds no secret.
    func diagnose() async -> StoreDiagnosis
}

extension SecureStore {
    /// Does nothing: most locations delete without a prompt.
    ///
    /// - Parameter interaction: Ignored.
    /// - Throws: No error.
    public func deleteEmptiedItems(interaction: InteractionPolicy) async throws {}
}
