// SPDX-License-Identifier: Apache-2.0

import AuthCore
public import SecureStore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The description of a session in a store, for tools that list sessions.
///
/// It holds no token, and no request is sent for it.
public struct SessionSummary: Sendable {
    /// The backend that the user signed in at.
    public let backend: SessionBackend
    /// The user, by the server's last word; nil if it named none.
    public let user: SessionUser?
    /// The expiry of the access token, if nothing can replace it; nil if something can, or the expiry is unknown.
    public let expiresAt: Date?

    /// Reads the session of a store, and never prompts.
    ///
    /// Returns nil if the store holds no session.
    ///
    /// - Throws: `SecureStoreError` if the store can't be read; ``SessionRecordError`` if its record can't be read, or
    ///   belongs to no such kind; `CancellationError`.
    public init?(in store: any SecureStore, of kinds: [AuthorityKind]) async throws {
        guard let item = try await store.item(forKey: SessionRecord.key) else { return nil }
        let record = try SessionRecord(item)
        guard let authority = try kinds.authority(of: record.authority) else {
            throw SessionRecordError(.otherBackend)
        }
        backend = SessionBackend(authority)
        user = record.user
        let clock = SessionClock(date: { Date() }, monotonic: ContinuousClock())
        let lifetime = record.tokens.lifetime.restated(at: clock.reading())
        expiresAt = authority.canRefresh(record.tokens) ? nil : lifetime.expiresAt
    }

    /// Returns the authorities that are still to revoke tokens of ended sessions.
    ///
    /// - Throws: `SecureStoreError` if the store can't be read; ``SessionRecordError`` (`unknownVersion`);
    ///   `CancellationError`.
    public static func pendingRevocations(in store: any SecureStore) async throws -> Set<AuthorityID> {
        let pending = try PendingRevocations(try await store.item(forKey: PendingRevocations.key))
        return Set(pending.grants.map(\.authority.id))
    }

    /// Returns whether the access token has expired and nothing can replace it, as far as known without the server.
    public func hasExpired(at date: Date) -> Bool { expiresAt.map { $0 <= date } ?? false }
}
