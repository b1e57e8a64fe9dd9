// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore
import Logging
public import SecureStore

/// The result of a sign-out.
///
/// The session that was in memory has ended here in any case.
public struct SignOutResult: Sendable, Equatable {
    /// The outcome at the server.
    public let revocation: RevocationOutcome
    /// The provider's error code, if it refused the revocation and sent one.
    public internal(set) var serverCode: ServerErrorCode?
    /// The reason that the stored session may still be there; nil if it is gone.
    public let storeError: SecureStoreError?
}

extension AuthSession {
    /// Signs out: ends the session here, then notifies the server if possible.
    ///
    /// A refresh in progress has no effect any more. An unreadable record is removed too. A repeated call also removes
    /// items that could not be removed before. If cancelled, it still ends the session and empties the store, and does
    /// not wait for the server.
    @discardableResult
    public func signOut() async -> SignOutResult {
        let begunAt = clock.uptime()
        let result = await endSession()
        let duration = clock.uptime() - begunAt
        options.observe(.signOutEnded(result.revocation, result.storeError?.code, after: duration))
        return result
    }

    private func endSession() async -> SignOutResult {
        modify { $0.cancelSignIn() }
        let known = core.signIns
        await prepareSignOut()
        await restore(validating: false)
        // A user signed in during the app's hook or the store's read. That is not the session to end.
        guard known == core.signIns else { return SignOutResult(revocation: .notApplicable, storeError: nil) }
        apply { $0.signOut(because: .userSignedOut) }
        guard let ended = core.pendingRemoval else {
            let error = await clear()
            if authority.policy.signOut.isRevocation { await revokeEndedSessions() }
            return SignOutResult(revocation: .notApplicable, storeError: error)
        }
        return await remove(ended)
    }

    /// Signs out the user of an epoch for another reason than the user's wish, and leaves every later user alone.
    ///
    /// A sign-in in progress continues.
    func endSession(of epoch: Int, because reason: SignedOutReason) async {
        guard (try? session(in: epoch)) != nil else { return }
        await prepareSignOut()
        // Another user may have signed in during the app's hook.
        guard (try? session(in: epoch)) != nil else { return }
        apply { $0.signOut(because: reason) }
        if let ended = core.pendingRemoval { _ = await remove(ended, endsPendingSignIn: false) }
    }

    /// Calls the app's hook while the user is still signed in, and waits for at most five seconds.
    private func prepareSignOut() async {
        guard let willSignOut = options.willSignOut else { return }
        await restore(validating: false)
        guard current != nil else { return }
        // If cancelled, the sign-out continues without the hook.
        try? await clock.waitBriefly(for: willSignOut)
    }

    /// Removes the session of this or an earlier, failed sign-out, and notifies the server.
    ///
    /// - Parameter endsPendingSignIn: Whether a sign-in that waits for the browser ends too.
    private func remove(_ ended: EndedSession, endsPendingSignIn: Bool = true) async -> SignOutResult {
        let session = ended.session
        let removal = await repository.remove(session, endsPendingSignIn: endsPendingSignIn)
        if removal.error == nil { modify { $0.noteRemoval(of: ended) } }
        // Another process, or a refresh in progress here, may have written newer tokens, or more of them.
        var newest = session
        if let found = removal.found {
            if !found.record.isOfSameSignIn(as: session.record) {
                revokeReplaced(found.record)
            } else {
                if found.record.tokenGeneration > session.record.tokenGeneration {
                    newest = currentSession(found.record, from: found.item)
                }
                newest.record.resourceTokens.add(found.record.resourceTokens)
                newest.record.resourceTokens.add(session.record.resourceTokens)
            }
        }
        let tokenGeneration = newest.record.tokenGeneration
        guard ended.claimRevocation(of: tokenGeneration) else {
            return SignOutResult(revocation: .notApplicable, storeError: removal.error)
        }
        let (revocation, serverCode) = await revokeAtServer(newest.record, until: newest.deadline)
        if revocation == .failed { ended.revocationFailed(of: tokenGeneration) }
        if authority.policy.signOut.isRevocation, revocation == .revoked { await revokeEndedSessions() }
        return SignOutResult(revocation: revocation, serverCode: serverCode, storeError: removal.error)
    }

    /// Removes all items of a session from a store, readable or not, without notifying a server.
    ///
    /// - Throws: `SecureStoreError` if the session may still be there; `CancellationError`.
    public static func removeStored(in store: any SecureStore) async throws {
        try await SessionRepository.removeItems(in: store)
    }

    /// Clears the store if no user is signed in here.
    ///
    /// If the store could not be read, its items are removed unread. The state stays ``SessionState/locked(_:)`` if
    /// that fails. If the store was read, a readable session stays: it belongs to a later sign-in of another process,
    /// or to another backend.
    private func clear() async -> SecureStoreError? {
        modify { $0.beginClear() }
        defer { modify { $0.endClear() } }
        let epoch = self.epoch
        guard case .signedOut = state else {
            let error = await repository.removeUnread()
            if isCurrent(epoch) { publish(error.map { .locked($0) } ?? .signedOut(.userSignedOut)) }
            return error
        }
        publish(.signedOut(.userSignedOut))
        return await repository.removeUnreadable()
    }

    /// Notifies the server, with new tokens if the old ones have expired by this device's clock or the server's.
    private func revokeAtServer(
        _ record: SessionRecord,
        until deadline: TokenDeadline
    ) async -> (RevocationOutcome, ServerErrorCode?) {
        let tokens = record.tokens
        if case .revokesTokens(let isSupported) = authority.policy.signOut {
            return isSupported ? await revoke(record) : (.notApplicable, nil)
        }
        guard deadline.freshness(at: clock.uptime()) == .expired else {
            return (await revokeAtServer(tokens, mayRenew: true), nil)
        }
        return (await revokeAtServer(await renewed(tokens) ?? tokens, mayRenew: false), nil)
    }

    private func revokeAtServer(_ tokens: TokenSet, mayRenew: Bool) async -> RevocationOutcome {
        switch await authority.signOut(RevocableTokens(tokens)) {
        case .revoked: return .revoked
        case .notApplicable: return .notApplicable
        case .unauthorized where mayRenew:
            guard let renewed = await renewed(tokens) else { return .failed }
            return await revokeAtServer(renewed, mayRenew: false)
        case .unauthorized, .refused, .failed:
            logger.debug("the server could not be notified of the sign-out")
            return .failed
        }
    }

    /// Revokes the tokens, now or as soon as the server can be reached.
    ///
    /// The grant is recorded first: if this process ends meanwhile, the next one revokes it.
    private func revoke(_ record: SessionRecord) async -> (RevocationOutcome, ServerErrorCode?) {
        let grant = EndedGrant(record, endedAt: clock.date())
        let isKept = await revocations.enqueue(grant)
        let outcome: RevocationOutcome
        var code: ServerErrorCode?
        switch await authority.signOut(RevocableTokens(record)) {
        case .revoked: outcome = .revoked
        case .notApplicable: outcome = .notApplicable
        case .refused(let serverCode?):
            logger.debug("the provider refused to revoke the tokens")
            (outcome, code) = (.failed, serverCode)
        case .refused(nil):
            logger.debug("the provider refused to revoke the tokens, without a reason")
            if isKept { await revocations.replace(grant, with: grant.refused(at: clock.date())) }
            return (.failed, nil)
        case .unauthorized, .failed:
            logger.debug("the tokens could not be revoked yet")
            return (isKept ? .deferred : .failed, nil)
        }
        if isKept { await revocations.replace(grant) }
        return (outcome, code)
    }

    private func renewed(_ tokens: TokenSet) async -> TokenSet? {
        switch await authority.refresh(tokens, for: nil, of: nil, sendGuard: { true }) {
        case .refreshed(let response): return tokens.merging(response.tokens)
        case .rotated(let refreshToken, _):
            var renewed = tokens
            renewed.refreshToken = refreshToken
            return renewed
        case .mismatched(_, let revocation):
            await revocation()
            return nil
        case .refused, .unknown, .doubtful, .failed: return nil
        }
    }
}
