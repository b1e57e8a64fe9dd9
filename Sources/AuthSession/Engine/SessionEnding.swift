// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The end of a session that the server refuses, or that has expired and can't be refreshed.
///
/// Confined to the session's actor: its methods run in the owner's isolation.
struct SessionEnding {
    let authority: any TokenAuthority
    let repository: SessionRepository
    let stored: StoredSession
    let journal: RefreshJournal
    let clock: SessionClock
    let logger: Logger

    /// Handles a session that can't be refreshed and lasts as long as its access token.
    ///
    /// The server decides how long that is, if it can be asked: this device's clock may be wrong. If it can't, a
    /// session whose token expired while this process measured its lifetime has ended.
    func handleMissingRefreshToken(
        _ session: CurrentSession,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        let hasEnded = session.deadline.hasEnded(at: clock.uptime())
        let validation = await owner.validation(of: session.record)
        guard startGeneration == owner.generation, let current = owner.current,
            current.record.tokens.isSame(as: session.record.tokens)
        else {
            return .failure(owner.absence())
        }
        switch validation {
        case .valid where hasEnded:
            // The token's expiry is unknown here.
            let endless = TokenLifetime(issuedAt: nil, expiresAt: nil)
            owner.apply(.foundEndless(owner.deadline(of: endless, at: clock.reading())))
            return .success(current.record.tokens)
        case .valid: return .failure(AuthSessionError(.noRefreshToken))
        // The server has never accepted this token here: the token may be for another API.
        case .rejected(_, endsSession: false) where !hasEnded && session.record.supportsValidation != true:
            await owner.noteValidation(isSupported: false, in: startGeneration)
            return .failure(AuthSessionError(.noRefreshToken))
        case .rejected: break
        case .inconclusive, .unknown, .unsupported, .unavailable:
            guard !hasEnded || session.isDeadlineRead else { break }
            if hasEnded { owner.publishOffline() }
            return .failure(AuthSessionError(hasEnded ? .unreachable : .noRefreshToken))
        }
        let isEnded = await end(AuthSessionError(.sessionEnded), because: .expired, for: owner)
        return .failure(
            isEnded && startGeneration != owner.generation ? owner.absence() : AuthSessionError(.sessionEnded)
        )
    }

    /// Handles a refusal, by which the server says that the session is over.
    ///
    /// Another process may have been faster. Its tokens are then taken over. If the token is not used up by its refresh
    /// and has not expired, the refusal alone does not end the session.
    func refused(
        _ error: AuthSessionError,
        of old: CurrentSession,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        if !authority.rotatesRefreshTokens, !old.deadline.hasEnded(at: clock.uptime()),
            await !isRefused(old.record, by: owner)
        {
            let error = error.coded(.refreshRefused)
            await journal.close(of: old, after: error, in: startGeneration, for: owner)
            return .failure(error)
        }
        for _ in 0..<CompareAndReplace.attempts {
            switch await stored.reread(in: startGeneration, for: owner) {
            case .settled(let result): return result
            case .unavailable(let error): return .failure(error)
            case .unsettled: break
            }
            guard startGeneration == owner.generation else { return .failure(owner.absence()) }
            guard owner.current?.record.tokens.isSame(as: old.record.tokens) == true else {
                return .failure(error.coded(.unreachable))
            }
            let isLost = old.isReplay && authority.rotatesRefreshTokens
            if await end(error, because: isLost ? .refreshResponseLost : .endedByServer, for: owner) {
                return .failure(startGeneration == owner.generation ? owner.absence() : error)
            }
        }
        return .failure(AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy)))
    }

    /// Returns whether the server rejects the session when asked to validate it.
    private func isRefused(_ record: SessionRecord, by owner: isolated AuthSession) async -> Bool {
        if case .rejected = await owner.validation(of: record) { true } else { false }
    }

    /// Ends the session: the server refused it, or it has expired and can't be refreshed.
    ///
    /// The store is cleared first, so that a process may end as soon as it has the error. Only the item that the
    /// response was about is removed: if another process has written meanwhile, the session does not end.
    ///
    /// - Parameters:
    ///   - error: The error for callers that wait for a refresh.
    ///   - reason: The reason in the state.
    ///   - owner: The session.
    /// - Returns: Whether the session has ended; false if the store must be read again.
    func end(
        _ error: AuthSessionError,
        because reason: SignedOutReason = .endedByServer,
        for owner: isolated AuthSession
    ) async -> Bool {
        guard let ended = owner.current else { return true }
        let startGeneration = owner.generation
        if ended.isRemembered, let stored = ended.stored?.item {
            owner.apply(.removalBegan)
            defer { owner.apply(.removalEnded) }
            do {
                guard try await repository.remove(ifEquals: stored) else { return false }
            } catch {
                logger.warning("the session could not be removed from the store, so it is not ended yet")
                return false
            }
        }
        guard startGeneration == owner.generation, owner.current != nil else { return true }
        owner.apply(.ended(error, because: reason))
        return true
    }
}
