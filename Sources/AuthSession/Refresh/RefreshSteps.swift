// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The steps of a refresh, by the names of `Docs/Models/refresh.pml`.
///
/// 1. Join: all callers in the process share one refresh (``RefreshCoordinator``).
/// 2. Lock: one process at a time refreshes.
/// 3. Reread and adopt: the tokens of another process are taken over.
/// 4. Journal: the store records that a refresh begins.
/// 5. Send, and replay if no response came.
/// 6. Check and merge: the authority checks the response, and the values that it omits stay.
/// 7. Write: the new tokens replace those that were exchanged for them.
/// 8. Publish, unless a user signed out or in meanwhile.
extension AuthSession {
    /// 2. Lock: runs one refresh at a time among all processes of this user.
    ///
    /// The others wait, and find the new tokens in the store. If the tokens could not be written, the lock is kept
    /// beyond the response, until they are written or this process ends. The refresh gets the result.
    ///
    /// - Parameter delegating: Whether another process may carry the refresh out. It takes the lock after this one.
    func lockAndRefresh(_ flight: RefreshFlight, delegating: Bool = true) async {
        // A sign-in may be in the middle of its write. Before that, there is no item to put a journal in.
        if authority.rotatesRefreshTokens, current?.stored == nil { await repository.earlierWrites() }
        if authority.rotatesRefreshTokens, current?.persistenceError != nil {
            // A token exchange uses up no token, so it need not wait for the write.
            if flight.request?.grant == .tokenExchange { return await refreshWithAssertion(flight) }
            // A refresh would use up another token, so these are written first.
            do {
                try await writeUnsaved()
                _ = try session(in: flight.epoch)
            } catch {
                return complete(flight, with: .failure(error))
            }
        }
        guard current?.isRemembered == true, await lock.isShared else {
            return await refreshWithAssertion(flight)
        }
        let waitBegan = clock.uptime()
        let isDelegated = delegating && mayDelegate(flight)
        do {
            try await lock.whileHeld(onHoldUp: { flight.holdUp($0) }) { isHeld in
                // Without a lock, compare and replace, and the second read before a session is ended, still respect the
                // changes of other processes.
                let lock = isHeld ? SessionEvent.Refresh.Lock.acquired : .unavailable
                flight.note { ($0.lock, $0.lockWait) = (lock, clock.uptime() - waitBegan) }
                if isDelegated { return }
                await refreshWithAssertion(flight)
                if isHeld, authority.rotatesRefreshTokens { await holdLockForUnsavedTokens() }
            }
        } catch {
            flight.note { ($0.lock, $0.lockWait) = (.busy, clock.uptime() - waitBegan) }
            complete(flight, with: .failure(error))
            // A refresh whose response may be lost is not given up while the server repeats it.
            guard let session = try? session(in: flight.epoch), isReplayDue(session) else { return }
            return await lockAndRefresh(flight, delegating: delegating)
        }
        if isDelegated, await !delegate(flight) { await lockAndRefresh(flight, delegating: false) }
    }

    /// Refreshes, and asks the system not to suspend the app between the request and the write.
    private func refreshWithAssertion(_ flight: RefreshFlight) async {
        guard flight.begin() else { return observeEnd(of: flight) }
        var result = Result<TokenSet, any Error>.failure(AuthSessionError(.refreshFailed))
        await background.perform("refresh of a session") {
            do {
                let isExchange = flight.request?.grant == .tokenExchange
                result = .success(try await isExchange ? exchangedTokens(flight) : refreshedTokens(flight))
            } catch {
                result = .failure(error)
            }
        }
        complete(flight, with: result)
    }

    /// 3. to 8.: exchanges the session's tokens for new ones, and keeps them.
    ///
    /// New tokens are merged and written even if a user signed out or in meanwhile: the store decides what becomes of
    /// them.
    ///
    /// - Parameter refused: The session whose request for another API the server has just refused; nil for none.
    private func refreshedTokens(
        _ flight: RefreshFlight,
        afterRefusalOf refused: CurrentSession? = nil
    ) async throws -> TokenSet {
        // 3. Reread, 4. Journal.
        let old: CurrentSession
        switch try await begin(flight, afterRefusalOf: refused) {
        case .adopted(let tokens): return tokens
        case .journaled(let session): old = session
        }
        let target = old.record.refreshTarget
        // 5. Send.
        let (outcome, isReplay) = await send(old, flight)
        switch outcome {
        case .refreshed, .rotated, .mismatched: break
        case .refused, .unknown, .doubtful, .failed: _ = try session(in: flight.epoch)
        }
        // 6. Merge, 7. write, 8. publish; or the effect of another outcome on the session.
        let tokens: TokenSet
        switch outcome {
        case .refreshed(let response):
            tokens = try await keep(merged(response, into: old, isReplay, flight), replacing: old, flight)
        case .rotated(let refreshToken, let error):
            let latest = try? session(in: flight.epoch)
            let new = old.refreshed(refreshToken, latest: latest, repeatedAt: isReplay ? clock.reading() : nil)
            tokens = try await keep(new, replacing: old, flight)
            guard target == nil, tokens.accessToken != new.record.tokens.accessToken else { throw error }
        case .mismatched(let error, let revocation):
            // The journal stays open: the refresh was carried out.
            addTrailingWork(revocation)
            throw error
        case .refused(let error) where target == nil:
            tokens = try await handleRefusal(error, of: old, isReplay, in: flight.epoch)
        case .refused(let error) where error.code == .unreachable,
            .doubtful(let error) where error.code == .unreachable:
            throw await noteServerFailure(error, of: old, isReplay, in: flight.epoch)
        case .refused where target != flight.request?.target:
            // The request that was repeated is not carried out, and no response to it will come. It may be the API that is
            // refused: what the callers want decides.
            return try await refreshedTokens(flight, afterRefusalOf: old)
        case .refused(let error):
            // The API or the scope may be refused. The session's own next refresh decides whether it is over.
            let error = error.coded(.refreshRefused)
            await closeJournal(of: old, after: error, in: flight.epoch)
            throw error
        case .unknown(let error):
            // The journal stays open: the next attempt sends the same refresh again.
            publishOffline(comingAgainAfter: error.retryAfter)
            throw error
        case .doubtful(let error): throw error
        case .failed(let error):
            await closeJournal(of: old, after: error, in: flight.epoch)
            if error.code == .unreachable, (try? session(in: flight.epoch)) != nil {
                publishOffline(comingAgainAfter: error.retryAfter)
            }
            throw error
        }
        // A replay has brought the token of the API that the earlier request was for. The callers want another's.
        guard target == flight.request?.target else { return try await refreshedTokens(flight) }
        guard let request = flight.request, case .refreshed(let response) = outcome else { return tokens }
        return try publish(ResourceToken(response.tokens, for: request), of: old.record)
    }

    private enum Beginning {
        /// Another process has refreshed, or the token for another API is at hand.
        case adopted(TokenSet)
        /// The refresh of this session is to be sent.
        case journaled(CurrentSession)
    }

    /// 3. Reread: another process may have refreshed, or signed out. 4. Journal: records that a refresh begins.
    ///
    /// A refresh that uses up its token is sent only if the store could be read and has accepted the journal, unless
    /// the session is only in memory. Otherwise another process's refresh could be repeated, or the only copy of the
    /// new tokens could be in memory.
    private func begin(_ flight: RefreshFlight, afterRefusalOf refused: CurrentSession?) async throws -> Beginning {
        let request = flight.request
        // The store is read again if another process changed the session in between. It can't do so forever.
        for _ in 0..<compareAndReplaceAttempts {
            let (adopted, unread) = try await adoptReadable(in: flight.epoch)
            // For another API, the session's own new tokens are not what the callers want.
            if let adopted, request == nil { return .adopted(adopted) }
            var current = try session(in: flight.epoch)
            if let tokens = try tokensAtHand(in: current, for: flight) { return .adopted(tokens) }
            if let unread, authority.rotatesRefreshTokens { throw unread }
            guard authority.canRefresh(current.record.tokens) else {
                guard request == nil else { throw AuthSessionError(.noRefreshToken) }
                return .adopted(try await handleMissingRefreshToken(current, in: flight.epoch))
            }
            if let wait = reuseHoldOff(of: current) {
                try await clock.sleep(wait)
                continue
            }
            if coordinator.isLimitReached(for: request, at: clock.uptime()) {
                throw AuthSessionError(.tooManyRefreshes)
            }
            let isNewTarget = refused.map { $0.record.tokens.isSame(as: current.record.tokens) } ?? false
            let writing = await openJournal(
                of: current,
                for: request?.target,
                isNewTarget: isNewTarget,
                in: flight.epoch
            )
            _ = try session(in: flight.epoch)
            switch writing {
            case .written(let session): return .journaled(session)
            case .unavailable(let error) where authority.rotatesRefreshTokens: throw error
            case .unavailable:
                current.record.refreshTarget = request?.target
                return .journaled(current)
            case .changed: continue
            }
        }
        throw AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy))
    }

    /// 5. Send. If no response came, the same refresh is sent again, within the server's grace window.
    private func send(_ old: CurrentSession, _ flight: RefreshFlight) async -> (RefreshOutcome, isReplay: Bool) {
        coordinator.noteSent(for: flight.request, at: clock.uptime())
        logger.debug("refreshing, generation \(old.record.tokenGeneration)")
        let exchange = RefreshExchange(
            authority: authority,
            target: old.record.refreshTarget,
            user: old.record.user,
            clock: clock,
            replayDelay: replayDelay,
            replayWindow: replayWindow,
            // A token that a refresh doesn't use up can be presented at any time.
            shownAt: old.isReplay && authority.rotatesRefreshTokens ? old.begunAt : nil,
            mayReplay: { await self.isCurrent(flight.epoch) },
            logger: logger
        )
        let (outcome, isSentAgain) = await exchange.outcome(for: old.record.tokens)
        let isReplay = isSentAgain || old.isReplay
        flight.note { ($0.outcome, $0.isReplay) = (.init(outcome), isReplay) }
        return (outcome, isReplay)
    }

    /// 6. Merge: returns the session with what the response is for: the session's own tokens, or another API's.
    private func merged(
        _ response: IssuedTokens,
        into old: CurrentSession,
        _ isReplay: Bool,
        _ flight: RefreshFlight
    ) -> CurrentSession {
        let (latest, repeatedAt) = (try? session(in: flight.epoch), isReplay ? clock.reading() : nil)
        if let target = old.record.refreshTarget {
            var new = old.refreshed(response.tokens.refreshToken, latest: latest, repeatedAt: repeatedAt)
            let request = ResourceRequest(target: target, grant: .refreshToken)
            new.record.resourceTokens.keep(ResourceToken(response.tokens, for: request))
            return new
        }
        var new = old.refreshed(response.tokens, latest: latest, repeatedAt: repeatedAt)
        new.deadline = deadline(of: response.tokens.lifetime, at: response.requestedAt)
        new.isDeadlineRead = false
        new.hasComeExpired = new.deadline.hasEnded(at: response.requestedAt.uptime)
        new.record.receivedIDToken = response.receivedIDToken
        if new.record.tokens.idToken != nil { new.record.lacksNewIDToken = response.receivedIDToken == nil }
        return new
    }

    /// 7. and 8.: writes and publishes new tokens.
    ///
    /// - Returns: The session's own tokens as they are now: the new ones, or those of another process.
    private func keep(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        _ flight: RefreshFlight
    ) async throws -> TokenSet {
        if let missing = new.record.missingScope {
            logger.warning("the server granted less scope than at the sign-in", metadata: ["missing": "\(missing)"])
        }
        // 7. Write. A failed write loses nothing: the tokens stay in memory, and the write is retried.
        switch await write(new, replacing: old, in: flight.epoch) {
        case .overtaken(let isGone):
            if isGone { revokeUnused(new.record.tokens, of: new.record.user) }
            _ = try session(in: flight.epoch)
            if let tokens = try await adoptStored(in: flight.epoch) { return tokens }
            _ = try session(in: flight.epoch)
            throw AuthSessionError(.storeUnavailable)
        case .done(let written):
            // 8. Publish, unless a user signed out or in meanwhile. If the tokens are in the store then, the sign-out
            // or sign-in that removes them revokes them.
            let before: CurrentSession
            do {
                before = try session(in: flight.epoch)
            } catch {
                if written.persistenceError != nil || !written.isRemembered {
                    revokeUnused(written.record.tokens, of: written.record.user)
                }
                throw error
            }
            apply { $0.refresh(with: written) }
            // The server has named the user anew during the write: here, or in another process.
            if before.record.user != new.record.user {
                await keepUser(in: flight.epoch)
            } else if let user = written.record.user, user != new.record.user {
                update(user, since: flight.epoch)
            }
            logger.debug("refreshed, generation \(written.record.tokenGeneration)")
            if written.persistenceError != nil { keepSaving() }
            return written.record.tokens
        }
    }
}
