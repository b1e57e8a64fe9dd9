// SPDX-License-Identifier: Apache-2.0

package import AuthCore
package import Logging
package import SecureStore

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
    ///
    /// Only this kind can tell whether such an item is damaged.
    static var kind: String? { get }

    /// The version of the stored form, 1.
    var version: Int { get }

    /// The start of the sign-in, in seconds since 1970.
    var beganAt: Double { get }
}

/// The beginning of the stored form of every pending sign-in.
private struct PendingSignInHeader: Decodable {
    let version: Int
    let kind: String?
}

extension PendingSignIn {
    /// The lifetime in seconds, enough for a user to look up a password.
    private static var lifetime: Double { 1_800 }
    private static var clockStep: Double { 300 }

    /// Decodes an item; nil if it is damaged, of another kind or of another version.
    package init?(_ item: SecretBytes) {
        guard Self.header(item).map({ $0.version == 1 && $0.kind == Self.kind }) ?? false,
            let pending = try? JSONDecoder().decode(Self.self, from: Data(item.unredacted))
        else { return nil }
        self = pending
    }

    /// Returns the bytes to store.
    ///
    /// They are secret.
    package func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    /// Returns whether the sign-in has expired, or began in the future.
    ///
    /// Allows for a clock that was set back a little. A start further in the future can't be trusted.
    package func isExpired(at now: Date) -> Bool {
        !(-Self.clockStep...Self.lifetime).contains(now.timeIntervalSince1970 - beganAt)
    }

    /// Returns whether no process can complete an item: it has expired, is damaged, or was used.
    ///
    /// An item of a newer version doesn't count, because that version may complete it. An item of another kind doesn't
    /// count either.
    private static func isOver(_ item: SecretBytes, at now: Date) -> Bool {
        if let pending = Self(item) { return pending.isExpired(at: now) }
        return header(item).map { $0.version == 1 && $0.kind == kind } ?? true
    }

    private static func header(_ item: SecretBytes) -> PendingSignInHeader? {
        try? JSONDecoder().decode(PendingSignInHeader.self, from: Data(item.unredacted))
    }

    /// Removes a sign-in that no process can complete, together with its secrets.
    ///
    /// - Parameters:
    ///   - store: The session's store.
    ///   - now: The time by the wall clock.
    ///   - logger: The logger, which records a failure to remove the item.
    /// - Throws: `CancellationError`.
    package static func removeIfOver(in store: any SecureStore, at now: Date, _ logger: Logger) async throws {
        do {
            guard let item = try await store.item(forKey: .pendingSignIn), isOver(item, at: now) else { return }
            // The comparison protects a sign-in that has begun meanwhile.
            _ = try await store.replaceItem(forKey: .pendingSignIn, ifEquals: item, with: nil)
        } catch let error where !(error is CancellationError) {
            // The next restore finds it again.
            logger.debug("an expired pending sign-in can't be removed now")
        }
    }
}
