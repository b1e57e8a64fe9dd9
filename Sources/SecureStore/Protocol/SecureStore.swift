// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A location that keeps small secrets for one service and account.
///
/// A read has three outcomes: the item, nil if its absence is *proved*, or a ``SecureStoreError`` if the store can't
/// tell. "Locked" is never "absent": a caller that confuses the two signs users out.
///
/// Only ``unlock(timeout:)`` prompts the user or unlocks anything. A call to a locked store throws `locked`. A call has
/// a bounded wait, and returns at once when the task is cancelled. A change in progress may then still be made.
/// Processes share the store: between two calls another process may have written.
///
/// `SecureStoreConformance` in `AuthTesting` tests your own stores for all of this.
public protocol SecureStore: Sendable {
    /// The service and account of the items.
    ///
    /// Two stores of one scope and one location show the same items.
    var scope: StoreScope { get }

    /// The strength of the location's protection.
    var protection: StoreProtection { get async }

    /// Reads an item.
    ///
    /// - Returns: The item, secret; nil only if its absence is proved.
    /// - Throws: ``SecureStoreError`` if the store can't tell, with every code for which
    ///   ``SecureStoreError/isUnavailable`` is true; `CancellationError`.
    func item(forKey key: StoreKey) async throws -> SecretBytes?

    /// Writes an item completely, in place of the present one.
    ///
    /// A reader sees the old or the new item, never a gap between them.
    ///
    /// - Parameter item: The new item, at most 256 KiB of any content. Secret.
    /// - Throws: ``SecureStoreError``; `CancellationError`. The old item is still there, unless
    ///   ``SecureStoreError/isOutcomeUnknown`` is true or the task was cancelled: then either may be there.
    func setItem(_ item: SecretBytes, forKey key: StoreKey) async throws

    /// Removes an item.
    ///
    /// An absent item is not an error.
    ///
    /// - Throws: ``SecureStoreError`` if the item may still be there; `CancellationError`.
    func removeItem(forKey key: StoreKey) async throws

    /// Writes or removes an item only if the present one still is the expected one, so that a concurrent write stays.
    ///
    /// Of several concurrent writes with the same expectation exactly one succeeds, in whatever processes they run.
    ///
    /// - Parameters:
    ///   - expected: The item that must be present; nil for absence. Secret; compared in constant time.
    ///   - item: The new item; nil to remove the present one. Secret.
    /// - Returns: Whether the item was written; for a removal, whether the item is absent now.
    /// - Throws: ``SecureStoreError`` as a write does; `CancellationError`.
    func replaceItem(
        forKey key: StoreKey,
        ifEquals expected: SecretBytes?,
        with item: SecretBytes?
    ) async throws -> Bool

    /// Asks the user to unlock the store, if it is locked, and waits for the answer.
    ///
    /// For a moment at which the user is present and expects a prompt: after a call threw `locked`, repeat that call
    /// once this returns. Does nothing by default: most locations have no prompt.
    ///
    /// - Parameter timeout: The longest time to wait for the user. The prompt stays open after it, and after a
    ///   cancellation.
    /// - Throws: ``SecureStoreError`` (`promptDismissed` if the user declined, `timedOut` if the user did not answer,
    ///   and the errors of a read); `CancellationError`.
    func unlock(timeout: Duration) async throws

    /// Checks before a sign-in whether the store can be used: writes, reads and removes a value of its own.
    ///
    /// - Throws: ``SecureStoreError`` if the store can't be used now (`damaged` if it returns another value);
    ///   `CancellationError`.
    func probe() async throws
}

extension SecureStore {
    public func unlock(timeout: Duration) async throws {}

    public func probe() async throws {
        let value = SecretBytes(RandomBytes.make(32))
        // No item has this key.
        let key = try StoreKey("probe-\(RandomName.make())")
        let found: SecretBytes?
        do {
            try await setItem(value, forKey: key)
            found = try await item(forKey: key)
        } catch {
            // The value may have been written all the same. The first error says more than one of this clean-up.
            try? await removeItem(forKey: key)
            throw error
        }
        try await removeItem(forKey: key)
        guard found == value else { throw SecureStoreError(.damaged, detail: "probe") }
    }
}

extension SecretBytes {
    /// The largest item of every store, in bytes.
    ///
    /// A keyring daemon closes the connection for good if it gets a far larger item.
    public static let maximumItemSize = 256 * 1024

    /// Refuses an item that is too large, before anything is changed.
    ///
    /// - Throws: ``SecureStoreError`` (`itemTooLarge`).
    public func checkItemSize() throws(SecureStoreError) {
        guard count <= Self.maximumItemSize else { throw SecureStoreError(.itemTooLarge) }
    }
}

/// The strength with which a store protects its items.
public struct StoreProtection: Sendable, Hashable, CustomStringConvertible {
    /// The name, for example `keyring`.
    public let description: String

    /// The system's keyring, encrypted on disk with a key derived from the user's login password.
    ///
    /// A keyring without a password is not encrypted: everyone who can read the user's files can read the items.
    public static let keyring = StoreProtection(description: "keyring")
    /// The keychain of an Apple system, bound to this device.
    public static let keychain = StoreProtection(description: "keychain")
    /// A file encrypted under a key, or one derived from a passphrase.
    public static let encryptedFile = StoreProtection(description: "encrypted file")
    /// This process's memory, which ends with the process.
    public static let memory = StoreProtection(description: "memory")
}
