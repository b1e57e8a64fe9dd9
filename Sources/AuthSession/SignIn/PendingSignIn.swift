// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Logging
import SecureStore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A sign-in that waits in the store for its redirect, so that another process can complete it.
///
/// Secret, and valid for one response and a short time. One sign-in is pending at a time.
package protocol PendingSignIn: StoredForm {
    /// The name of the kind of sign-in in the stored form; nil for an authorization request, whose form has no name.
    static var kind: String? { get }

    var version: Int { get }

    /// The start of the sign-in, in seconds since 1970.
    var beganAt: Double { get }
}

/// The beginning of the stored form of every pending sign-in.
private struct PendingSignInHeader: Decodable {
    /// The lifetime in seconds, enough for a user to look up a password.
    private static let lifetime = 1_800.0
    private static let clockStep = 300.0

    let version: Int
    let kind: String?
    let beganAt: Double?

    init?(_ item: SecretBytes) {
        guard let header = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted)) else { return nil }
        self = header
    }

    static func isExpired(_ beganAt: Double, at now: Date) -> Bool {
        !(-clockStep...lifetime).contains(now.timeIntervalSince1970 - beganAt)
    }
}

extension PendingSignIn {
    /// Decodes an item; nil if it is damaged, of another kind or of another version.
    package init?(_ item: SecretBytes) {
        guard PendingSignInHeader(item).map({ $0.version == 1 && $0.kind == Self.kind }) ?? false,
            let pending = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted))
        else { return nil }
        self = pending
    }

    /// Returns whether the sign-in has expired, or began in the future.
    ///
    /// Allows for a clock that was set back a little. A start further in the future can't be trusted.
    package func isExpired(at now: Date) -> Bool { PendingSignInHeader.isExpired(beganAt, at: now) }
}

extension SecureStore {
    /// Removes a sign-in of any kind that has expired or was used, together with its secrets.
    ///
    /// One of a newer version stays, because that version may complete it. Throws only `CancellationError`.
    func removePendingSignInIfOver(at now: Date, _ logger: Logger) async throws {
        do {
            guard let item = try await self.item(forKey: .pendingSignIn) else { return }
            if let header = PendingSignInHeader(item) {
                guard header.version == 1 else { return }
                if let beganAt = header.beganAt, !PendingSignInHeader.isExpired(beganAt, at: now) { return }
            }
            // The comparison protects a sign-in that has begun meanwhile.
            _ = try await replaceItem(forKey: .pendingSignIn, ifEquals: item, with: nil)
        } catch let error where !(error is CancellationError) {
            // The next restore finds it again.
            logger.debug("an expired pending sign-in can't be removed now")
        }
    }
}

extension AuthSession {
    /// Discards the pending sign-in, if there is one.
    ///
    /// - Throws: `SecureStoreError`; `CancellationError`.
    public func cancelPendingSignIn() async throws {
        try await write { try await $0.removeItem(forKey: .pendingSignIn) }
    }

    /// Stores a sign-in that waits for its redirect, in place of an earlier one, and returns its secret item.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func setPendingSignIn(_ pending: some PendingSignIn) async throws -> SecretBytes {
        let item = try pending.encoded()
        try await usingStore { try await write { try await $0.setItem(item, forKey: .pendingSignIn) } }
        return item
    }

    /// Returns the secret item of the sign-in that waits for its redirect; nil if none waits.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func pendingSignInItem() async throws -> SecretBytes? {
        try await usingStore { try await store.item(forKey: .pendingSignIn) }
    }

    /// Uses up the pending sign-in.
    ///
    /// The item is replaced before it is removed: if two processes get the same redirect, both can remove it, but only
    /// one can replace it.
    ///
    /// - Returns: Whether this call used it up; false if another process did, or another sign-in has begun.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    package func takePendingSignIn(_ item: SecretBytes) async throws -> Bool {
        // Can't be decoded.
        let used = SecretBytes(Array("used".utf8))
        return try await usingStore {
            try await write { store in
                let key = StoreKey.pendingSignIn
                guard try await store.replaceItem(forKey: key, ifEquals: item, with: used) else { return false }
                _ = try await store.replaceItem(forKey: key, ifEquals: used, with: nil)
                return true
            }
        }
    }

    /// Opens the browser for a pending sign-in and returns the redirect, which is untrusted.
    ///
    /// - Parameters:
    ///   - url: The URL for the browser. Contains the state: not for logs.
    ///   - item: The sign-in's item. If the browser fails, it is removed, and a newer pending sign-in stays.
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

    private func usingStore<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as SecureStoreError {
            throw AuthSessionError(.storeUnavailable, underlying: error)
        }
    }
}

/// A ``TokenAuthority`` with a sign-in whose response redirects back to the app.
///
/// The other authorities have no such sign-in: no URL is a response, and no URL completes a sign-in.
package protocol RedirectSignIn: TokenAuthority {
    /// Returns whether an untrusted URL that the app was opened with is the response to a pending sign-in.
    ///
    /// - Throws: ``AuthSessionError`` (`storeUnavailable`); `CancellationError`.
    func isSignInResponse(_ url: String, in session: AuthSession) async throws -> Bool

    /// Completes a pending sign-in with an untrusted URL that the app was opened with.
    ///
    /// - Returns: The user, if the server named one.
    func completeSignIn(redirectedTo url: String, in session: AuthSession) async throws -> SessionUser?
}

extension AuthSession {
    /// Completes a sign-in, which this or an earlier process began, whose response redirects to a URL of the app.
    ///
    /// A URL that is not the response leaves the sign-in pending, because any app can open this app's URLs. The
    /// response is used once, even if the sign-in fails.
    ///
    /// - Parameter url: The URL that the app was opened with. Untrusted.
    /// - Returns: The user, if the server named one.
    /// - Throws: ``AuthSessionError`` (`contractMismatch` if the backend has no such sign-in, `storeUnavailable`,
    ///   `signInRefused`, `unreachable`, `invalidResponse`, `superseded`; with Apple `signInCancelled`,
    ///   `noPendingSignIn`, `redirectMismatch`, `stateMismatch`; for a step-up `userMismatch`); with an OpenID provider
    ///   also `OpenIDError`, such as `noPendingAuthorization` or an authorization response's; `CancellationError`.
    @discardableResult
    public func completeSignIn(redirectedTo url: String) async throws -> SessionUser? {
        guard let authority = authority as? any RedirectSignIn else { throw AuthSessionError(.contractMismatch) }
        return try await authority.completeSignIn(redirectedTo: url, in: self)
    }

    /// Returns whether a URL is the response, successful or not, to the pending sign-in; false if none is pending.
    ///
    /// - Parameter url: The URL that the app was opened with. Untrusted.
    /// - Throws: ``AuthSessionError`` (`storeUnavailable` if the store can't be read); `CancellationError`.
    public func isSignInResponse(_ url: String) async throws -> Bool {
        guard let authority = authority as? any RedirectSignIn else { return false }
        return try await authority.isSignInResponse(url, in: self)
    }
}
