// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Logging
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The tokens to revoke: those of sign-outs that the server has not received yet, and unused ones.
///
/// Owns the grants in the store (``PendingRevocations``), and the flush that is in progress: at most one. Confined to
/// the session's actor: its methods run in the owner's isolation.
final class RevocationQueue {
    private let store: any SecureStore
    private let repository: SessionRepository
    private let backend: SessionBackend
    private let connection: AuthorityConnection
    /// The flush of earlier sign-outs, while it is in progress.
    private(set) var revocationFlush: Task<Void, Never>?

    init(
        _ store: any SecureStore,
        _ repository: SessionRepository,
        of backend: SessionBackend,
        over connection: AuthorityConnection
    ) {
        self.store = store
        self.repository = repository
        self.backend = backend
        self.connection = connection
    }

    private var logger: Logger { connection.logger }

    /// Revokes tokens that will not be used, in the background; a best effort.
    func revokeUnused(_ tokens: RevocableTokens) {
        let authority = backend.authority
        let logger = logger
        Task {
            switch await authority.signOut(tokens) {
            case .revoked, .notApplicable: break
            case .unauthorized, .refused, .failed:
                logger.debug("tokens that are no longer needed could not be revoked")
            }
        }
    }

    /// Stores the remains of a session that has ended here until its tokens can be revoked.
    ///
    /// - Returns: Whether they are stored.
    func enqueue(_ grant: EndedGrant) async -> Bool {
        do {
            let isOneGivenUp = try await change { $0.add(grant) }
            if isOneGivenUp { logger.warning("too many revocations are pending; the oldest was dropped") }
            return true
        } catch {
            logger.warning("a pending revocation could not be written to the store")
            return false
        }
    }

    /// Replaces a session after an attempt to revoke its tokens.
    ///
    /// - Parameters:
    ///   - grant: The session.
    ///   - next: The session for a later attempt; nil if its tokens need no further revocation.
    func replace(_ grant: EndedGrant, with next: EndedGrant? = nil) async {
        do {
            try await change { ended in
                ended.grants = ended.grants.compactMap { $0.isSame(as: grant) ? next : $0 }
            }
        } catch {
            // The tokens are revoked once more later. A provider treats that as done.
            logger.debug("a completed revocation could not be removed from the store")
        }
    }

    /// Whether a revocation is pending; true also if the store can't be read.
    var isWaiting: Bool {
        get async {
            do {
                return try PendingRevocations(try await store.item(forKey: PendingRevocations.key)).grants.isEmpty
                    == false
            } catch {
                return true
            }
        }
    }

    /// Revokes the tokens of earlier sign-outs that could not be revoked before.
    ///
    /// A restore, a sign-out that finds no session or has revoked the tokens, and the beginning of a sign-in call this.
    /// A revocation that fails stays queued. All are sent at once, so that a provider that does not respond delays
    /// no other. If cancelled, it stops sending requests.
    func flush(for owner: isolated AuthSession) async {
        let revocationFlush = revocationFlush ?? Task { await self.revokeAll(for: owner) }
        self.revocationFlush = revocationFlush
        await withTaskCancellationHandler {
            await revocationFlush.value
        } onCancel: {
            revocationFlush.cancel()
        }
    }

    /// Cancels a flush in progress, and waits until it has ended.
    func cancel() async {
        revocationFlush?.cancel()
        await revocationFlush?.value
    }

    private func revokeAll(for owner: isolated AuthSession) async {
        defer { revocationFlush = nil }
        do {
            let kept = try PendingRevocations(try await store.item(forKey: PendingRevocations.key)).grants
            var changed: [(grant: EndedGrant, next: EndedGrant?)] = []
            await withTaskGroup(of: (EndedGrant, EndedGrant?).self) { group in
                for grant in kept { group.addTask { (grant, await Self.settle(grant, for: owner)) } }
                for await (grant, next) in group where next != grant { changed.append((grant, next)) }
            }
            guard !changed.isEmpty else { return }
            try await change { [changed] ended in
                ended.grants = ended.grants.compactMap { grant in
                    guard let change = changed.first(where: { $0.grant.isSame(as: grant) }) else { return grant }
                    return change.next
                }
            }
        } catch {
            logger.debug("the pending revocations could not be completed")
        }
    }

    /// Revokes the tokens of a session that has ended.
    ///
    /// - Returns: The grant for a later attempt; nil if its tokens are revoked, or never can be.
    private static func settle(_ grant: EndedGrant, for owner: isolated AuthSession) async -> EndedGrant? {
        guard !grant.isGivenUp(at: owner.clock.date()) else { return nil }
        guard grant.isDue(at: owner.clock.date()) else { return grant }
        guard let there = owner.revocations.authority(of: grant.authority) else { return grant }
        // Two sign-ins of one user may share a grant: these tokens wait until the user has signed out again.
        guard await !isSignedIn(grant.subject.map { SessionUser(id: $0) }, at: there, by: owner) else { return grant }
        // The stored text may not be a token.
        guard let tokens = grant.tokens else { return nil }
        switch await there.signOut(tokens) {
        case .revoked, .notApplicable, .refused(_?): return nil
        // Something in front of the server may have refused.
        case .refused(nil):
            let refused = grant.refused(at: owner.clock.date())
            return refused.isGivenUp(at: owner.clock.date()) ? nil : refused
        case .unauthorized, .failed: return grant
        }
    }

    /// Returns the authority of an earlier session; nil if no kind has it.
    private func authority(of record: AuthorityRecord) -> (any TokenAuthority)? {
        if backend.authority.id == record.id { return backend.authority }
        // Details that can't be read may be a newer version's.
        guard let there = try? backend.kinds.authority(of: record), there.id == record.id else { return nil }
        return there.connected(over: connection)
    }

    /// Returns whether a user may be signed in at a provider, here or according to the store.
    ///
    /// True also if the store can't be read, and if the server has named neither user.
    private static func isSignedIn(
        _ user: SessionUser?,
        at provider: any TokenAuthority,
        by owner: isolated AuthSession
    ) async -> Bool {
        do {
            let stored = try await owner.store.item(forKey: SessionRecord.key).map { try SessionRecord($0) }
            return [stored, owner.current?.record].compactMap(\.self).contains { record in
                let mayBeSame = SessionUser.isSame(record.user, as: user) || (record.user == nil && user == nil)
                return mayBeSame && provider.id == record.authority.id
            }
        } catch {
            owner.logger.debug("the signed-in user is unknown; an earlier revocation stays pending")
            return true
        }
    }

    @discardableResult
    private func change<Value: Sendable>(
        _ change: @escaping @Sendable (inout PendingRevocations) -> Value
    ) async throws -> Value {
        try await repository.write { store in
            try await store.updateItem(forKey: PendingRevocations.key) { item in
                var ended = try PendingRevocations(item)
                let value = change(&ended)
                // This applies even if there is no item yet: another process may be about to write its own.
                return (ended.grants.isEmpty ? .remove : .replace(try ended.encoded()), value)
            }
        }
    }
}

extension AuthSession {
    /// Whether a revocation is pending; true also if the store can't be read.
    var hasPendingRevocations: Bool {
        get async { await revocations.isWaiting }
    }

    /// Revokes the tokens of earlier sign-outs that could not be revoked before.
    func revokeEndedSessions() async {
        await revocations.flush(for: self)
    }

    /// Revokes the tokens of earlier sign-outs before a sign-in begins, and waits for at most five seconds.
    ///
    /// - Throws: `CancellationError`.
    package func flushPendingRevocationsBeforeSignIn() async throws {
        // Grants that can't be read now can't be revoked now.
        guard (try? await store.item(forKey: PendingRevocations.key)) != nil else {
            return try Task.checkCancellation()
        }
        try await clock.waitBriefly { await self.revokeEndedSessions() }
    }

    /// Stops revocations before new tokens are requested.
    ///
    /// At a provider, old and new tokens may belong to one grant, and a later revocation would revoke the new ones too.
    package func cancelRevocations() async {
        await revocations.cancel()
    }

    /// Revokes tokens that will not be used.
    ///
    /// This is a best effort in the background. At a provider, tokens of the signed-in user, and of a user who may be
    /// the same, are not revoked: they may share a grant with the session's tokens, and revoking them may revoke those
    /// too.
    ///
    /// - Parameters:
    ///   - tokens: The tokens. Secret.
    ///   - user: The user; nil if the server has not named one.
    package func revokeUnused(_ tokens: TokenSet, of user: SessionUser?) {
        revokeUnused(RevocableTokens(tokens), of: user)
    }

    /// As ``revokeUnused(_:of:)``, with the session in the store; it counts if there is none in memory.
    func revokeUnused(_ tokens: RevocableTokens, of user: SessionUser?, besides found: Replaced = .nothing) {
        if authority.policy.signOut.isRevocation {
            switch current.map({ .record($0.record) }) ?? found {
            case .nothing: break
            case .unknown: return
            // A user whom the server has not named may be the same one.
            case .record(let record):
                if user == nil || record.user == nil || SessionUser.isSame(record.user, as: user) { return }
            }
        }
        revocations.revokeUnused(tokens)
    }

    /// Revokes the tokens that a sign-in has replaced, or that a sign-out removed before the sign-in could.
    ///
    /// - Parameters:
    ///   - found: The record that was in the store.
    ///   - replaced: The record that was in memory before, or else in the store.
    func revokeReplaced(_ found: SessionRecord?, _ replaced: SessionRecord? = nil) {
        // A refresh in progress may have written newer tokens than those in memory.
        let isNewer =
            found.map { $0.signIn != replaced?.signIn || $0.tokenGeneration >= replaced?.tokenGeneration ?? 0 } ?? false
        // Another backend's tokens are not for this one.
        for record in [isNewer ? found : nil, !isNewer || found?.signIn != replaced?.signIn ? replaced : nil] {
            guard let record, authority.id == record.authority.id else { continue }
            revokeUnused(RevocableTokens(record), of: record.user)
        }
    }
}
