public import AuthCore

/// A place that keeps small secrets for one service and account.
///
/// A read has three answers: the item, nil where its absence is *proved*, or a ``SecureStoreError`` where the store
/// can't say. "Locked" is never "absent": who takes one for the other signs people out.
///
/// No call prompts the person or unlocks anything unless its ``InteractionPolicy`` says so. A call has a bounded wait,
/// and lets its caller go at once when the task is cancelled; a change that was under way may then still be made. The
/// store is shared by processes: between two calls another one may have written.
///
/// Stores of your own are held to all of this by `SecureStoreConformance` in `AuthTesting`.
public protocol SecureStore: Sendable {
    /// Whose items these are.
    ///
    /// Two stores of one scope and one place show the same items.
    var scope: StoreScope { get }

    /// How strongly the place protects what it keeps, as far as that can be seen without a prompt.
    var protection: StoreProtection { get async }

    /// Reads an item.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: The item, secret; nil only where it is proved that there is none.
    /// - Throws: ``SecureStoreError`` where the store can't say: every code of which
    ///   ``SecureStoreError/isUnavailable`` is true; `CancellationError`.
    func item(forKey key: StoreKey, interaction: InteractionPolicy) async throws -> SecretBytes?

    /// Writes an item whole, in place of the one that is there.
    ///
    /// A reader sees the old or the new one, never neither.
    ///
    /// - Parameters:
    ///   - item: What to keep; at most ``StoreLimits/maximumItemSize`` bytes of any content. Secret.
    ///   - key: Under which name.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError``; the old item is still there, but for the codes of which
    ///   ``SecureStoreError/isOutcomeUnknown`` is true, after which it may be either. `CancellationError`, likewise.
    func setItem(_ item: SecretBytes, forKey key: StoreKey, interaction: InteractionPolicy) async throws

    /// Removes an item.
    ///
    /// One that is not there is no error.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` where the item may still be there; `CancellationError`.
    func removeItem(forKey key: StoreKey, interaction: InteractionPolicy) async throws

    /// Writes an item only where the present one still is the expected one: what was written meanwhile stays.
    ///
    /// Of several at the same time with the same expectation exactly one succeeds, in whatever processes they run.
    ///
    /// - Parameters:
    ///   - key: Under which name.
    ///   - expected: What must be there; nil for nothing. Secret; compared in constant time.
    ///   - item: What to keep. Secret.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item was written.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool

    /// Removes an item only where it still is the expected one: what was written meanwhile stays.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be to be removed. Secret; compared in constant time.
    ///   - interaction: Whether the person may be asked.
    /// - Returns: Whether the item is gone; false where it is another.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func removeItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes,
        interaction: InteractionPolicy
    ) async throws -> Bool

    /// The names of all items of this scope.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Returns: The names; complete, and empty only where it is proved that there is nothing.
    /// - Throws: ``SecureStoreError`` as a read does; `CancellationError`.
    func keys(interaction: InteractionPolicy) async throws -> Set<StoreKey>

    /// Removes all items of this scope.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` where one may still be there; `CancellationError`.
    func removeAll(interaction: InteractionPolicy) async throws

    /// Finds out whether the store can be used, before a sign-in begins: writes, reads and removes a value of its own.
    ///
    /// - Parameter interaction: Whether the person may be asked.
    /// - Throws: ``SecureStoreError`` where it can't be used now; `CancellationError`.
    func probe(interaction: InteractionPolicy) async throws

    /// Looks at the place and says what is wrong with it, and what mends that.
    ///
    /// - Returns: What was found. Holds no secret.
    func diagnose() async -> StoreDiagnosis
}
