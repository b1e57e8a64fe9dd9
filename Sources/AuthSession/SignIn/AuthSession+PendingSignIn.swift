// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import SecureStore

extension AuthSession {
    /// Discards the pending sign-in, if there is one.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    public func cancelPendingSignIn() async throws {
        try await write { try await $0.removeItem(forKey: .pendingSignIn) }
    }

    /// Stores a sign-in that waits for its redirect, in place of an earlier one.
    ///
    /// - Parameter pending: The sign-in. Secret.
    /// - Returns: The stored item. Secret.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func setPendingSignIn(_ pending: some PendingSignIn) async throws -> SecretBytes {
        let item = try pending.encoded()
        try await changePendingSignIn { try await $0.setItem(item, forKey: .pendingSignIn) }
        return item
    }

    /// Returns the stored item of the sign-in that waits for its redirect; nil if none waits.
    ///
    /// - Returns: The item. Secret.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func pendingSignInItem() async throws -> SecretBytes? {
        do {
            return try await store.item(forKey: .pendingSignIn)
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }

    /// Uses up the pending sign-in.
    ///
    /// The item is replaced before it is removed: if two processes get the same redirect, both can remove it, but only
    /// one can replace it.
    ///
    /// - Parameter item: The sign-in's item. Secret.
    /// - Returns: Whether this call used it up; false if another process did, or another sign-in has begun.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func takePendingSignIn(_ item: SecretBytes) async throws -> Bool {
        // Can't be decoded.
        let used = SecretBytes(Array("used".utf8))
        return try await changePendingSignIn { store in
            let key = StoreKey.pendingSignIn
            guard try await store.replaceItem(forKey: key, ifEquals: item, with: used) else { return false }
            _ = try await store.replaceItem(forKey: key, ifEquals: used, with: nil)
            return true
        }
    }

    /// Opens the browser for a pending sign-in and returns the redirect.
    ///
    /// - Parameters:
    ///   - url: The URL for the browser. Contains the state: not for logs.
    ///   - item: The sign-in's item. If the browser fails, it is removed, and a newer pending sign-in stays.
    ///   - browser: The closure that opens a URL and returns the redirect.
    /// - Returns: The redirect. Untrusted.
    /// - Throws: The errors of `browser`; `CancellationError`.
    package func redirect(
        from url: String,
        pending item: SecretBytes,
        through browser: @Sendable (String) async throws -> String
    ) async throws -> String {
        do {
            return try await browser(url)
        } catch {
            // This sign-in gets no response any more.
            _ = try? await write { try await $0.replaceItem(forKey: .pendingSignIn, ifEquals: item, with: nil) }
            throw error
        }
    }

    private func changePendingSignIn<Value: Sendable>(
        _ change: @escaping @Sendable (any SecureStore) async throws -> Value
    ) async throws -> Value {
        do {
            return try await write(change)
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }
}
