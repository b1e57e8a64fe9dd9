// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The end of a session that the server refuses, or that has expired and can't be refreshed.
extension AuthSession {
    /// Handles a session that can't be refreshed and lasts as long as its access token.
    ///
    /// The server decides how long that is, if it can be asked: this device's clock may be wrong. If it can't, a
    /// session whose token expired while this process measured its lifetime has ended.
    func handleMissingRefreshToken(
        _ session: CurrentSession,
        in epoch: Int
    ) async throws(AuthSessionError) -> TokenSet {
        let hasEnded = session.deadline.hasEnded(at: clock.uptime())
        let validation = await authority.validate(session.record.tokens, of: session.record.user)
        let current = try self.session(in: epoch)
        guard current.record.tokens.isSame(as: session.record.tokens) else { throw absence() }
        switch validation {
        case .valid where hasEnded:
            // The token's expiry is unknown here.
            let endless = TokenLifetime(issuedAt: nil, expiresAt: nil)
            let deadline = self.deadline(of: endless, at: clock.reading())
            apply { $0.extend(to: deadline) }
            return current.record.tokens
        case .valid: throw AuthSessionError(.noRefreshToken)
        case .rejected: break
        case .inconclusive, .unknown, .unavailable, nil:
            guard !hasEnded || session.isDeadlineRead else { break }
            // If the server can be asked by the token's use alone, the next refusal of the token ends the session.
            guard hasEnded, validation != nil else { throw AuthSessionError(.noRefreshToken) }
            publishOffline()
            throw AuthSessionError(.unreachable)
        }
        let isEnded = await end(AuthSessionError(.sessionEnded), because: .expired)
        throw isEnded && !isCurrent(epoch) ? absence() : AuthSessionError(.sessionEnded)
    }

    /// Handles a refusal, by which the server says that the session is over.
    ///
    /// Another process may have been faster. Its tokens are then taken over. If the token is not used up by its refresh
    /// and has not expired, the refusal alone does not end the session at a server that can be asked. A server that fails
    /// is believed the second time.
    func handleRefusal(
        _ error: AuthSessionError,
        of old: CurrentSession,
        _ isReplay: Bool,
        in epoch: Int
    ) async throws(AuthSessionError) -> TokenSet {
        if error.code == .unreachable, old.record.refreshRefusal?.isConfirmed(at: clock.reading()) != true {
            throw await noteServerFailure(error, of: old, isReplay, in: epoch)
        }
        let error = error.coded(.sessionEnded)
        if !authority.rotatesRefreshTokens, !old.deadline.hasEnded(at: clock.uptime()), await !isRefused(old.record) {
            let error = error.coded(.refreshRefused)
            await closeJournal(of: old, after: error, in: epoch)
            throw error
        }
        for _ in 0..<compareAndReplaceAttempts {
            if let tokens = try await adoptStored(in: epoch) { return tokens }
            guard try session(in: epoch).record.tokens.isSame(as: old.record.tokens) else {
                throw error.coded(.unreachable)
            }
            let isLost = old.isReplay && authority.rotatesRefreshTokens
            if await end(error, because: isLost ? .refreshResponseLost : .endedByServer) {
                throw isCurrent(epoch) ? absence() : error
            }
        }
        throw AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy))
    }

    /// Returns whether the server rejects the session when asked to validate it, or leaves that to a refresh.
    private func isRefused(_ record: SessionRecord) async -> Bool {
        switch await authority.validate(record.tokens, of: record.user) {
        case .rejected, nil: true
        default: false
        }
    }

    /// Ends the session: the server refused it, or it has expired and can't be refreshed.
    ///
    /// The store is cleared first, so that a process may end as soon as it has the error. Only the item that the
    /// response was about is removed: if another process has written meanwhile, the session does not end.
    ///
    /// - Parameter error: The error for callers that wait for a refresh.
    /// - Returns: Whether the session has ended; false if the store must be read again.
    func end(_ error: AuthSessionError, because reason: SignedOutReason = .endedByServer) async -> Bool {
        guard let ended = current else { return true }
        let epoch = self.epoch
        if ended.isRemembered, let stored = ended.stored?.item {
            modify { $0.beginRemoval() }
            defer { modify { $0.endRemoval() } }
            do {
                guard try await repository.remove(ifEquals: stored) else { return false }
            } catch {
                logger.warning("the session could not be removed from the store, so it is not ended yet")
                return false
            }
        }
        guard (try? session(in: epoch)) != nil else { return true }
        apply { $0.end(error, because: reason) }
        return true
    }
}
