public import AuthCore

/// A place that keeps small secrets for one service and account.
///
/// A read has three answers: the item, nil where its absence is *proved*, or a ``SecureStoreError`` where the store
/// can't say. "Locked" is never "absent": who takes one for the other signs people out.
///
/// No call prompts the person or unlocks anything. A call has a bounded wait, and lets its caller go at once when the
/// task is cancelled; a change that was under way may then still be made.
public protocol SecureStore: Sendable {
    /// How strongly the place protects what it keeps.
    var protection: StoreProtection { get }

    /// Reads an item.
    ///
    /// - Parameter key: Which one.
    /// - Returns: The item, secret; nil only where it is proved that there is none.
    /// - Throws: ``SecureStoreError`` where the store can't say (`locked`, `noSessionBus`, `noProvider`,
    ///   `noCollection`, `timedOut`, `denied`, `failed`); `CancellationError`.
    func item(forKey key: StoreKey) async throws -> SecretBytes?

    /// Writes an item whole, in place of the one that is there. A reader sees the old or the new one, never neither.
    ///
    /// - Parameters:
    ///   - item: What to keep; at most ``StoreLimits/maximumItemSize`` bytes. Secret.
    ///   - key: Under which name.
    /// - Throws: ``SecureStoreError``; with `itemTooLarge` and every other code the old item is still there, but for
    ///   `timedOut`, after which it may be either. `CancellationError`.
    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws

    /// Removes an item. One that is not there is no error.
    ///
    /// - Parameter key: Which one.
    /// - Throws: ``SecureStoreError`` where the item may still be there; `CancellationError`.
    func removeItem(forKey key: StoreKey) async throws

    /// Removes an item only where it still is the expected one: what was written meanwhile stays.
    ///
    /// - Parameters:
    ///   - key: Which one.
    ///   - expected: What it must be to be removed. Secret; compared in constant time.
    /// - Returns: Whether the item is gone; false where it is another.
    /// - Throws: ``SecureStoreError``; `CancellationError`.
    func removeItem(forKey key: StoreKey, ifEquals expected: SecretBytes) async throws -> Bool
}

/// What every store keeps to.
public enum StoreLimits {
    /// The largest item, in bytes.
    ///
    /// A keyring daemon that is given far larger ones closes the connection for good.
    public static let maximumItemSize = 256 * 1024

    /// Refuses an item that is too large, before anything is touched.
    ///
    /// - Parameter item: What is to be written.
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public static func check(_ item: SecretBytes) throws(SecureStoreError) {
        guard item.count <= maximumItemSize else {
            throw SecureStoreError(.itemTooLarge)
        }
    }
}
