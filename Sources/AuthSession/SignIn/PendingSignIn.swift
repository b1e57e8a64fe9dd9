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

    /// The version of the stored form, 1.
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

    /// Returns the bytes to store.
    ///
    /// They are secret.
    package func encoded() throws -> SecretBytes { SecretBytes(try JSONEncoder().encode(self)) }

    /// Returns whether the sign-in has expired, or began in the future.
    ///
    /// Allows for a clock that was set back a little. A start further in the future can't be trusted.
    package func isExpired(at now: Date) -> Bool {
        PendingSignInHeader.isExpired(beganAt, at: now)
    }
}

extension SecureStore {
    /// Removes a sign-in of any kind that has expired or was used, together with its secrets.
    ///
    /// One of a newer version stays, because that version may complete it.
    ///
    /// - Parameter logger: The logger, which records a failure to remove the item.
    /// - Throws: `CancellationError`.
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
