// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The steps of a refresh.
///
/// The order makes a refresh safe:
///
/// 1. Join: all callers in the process share one refresh (``RefreshCoordinator``).
/// 2. Lock: one process at a time refreshes (``RefreshLock``).
/// 3. Reread: the tokens of another process are taken over (``StoredSession``).
/// 4. Journal: the store records that a refresh begins (``RefreshJournal``).
/// 5. Send: the refresh is sent, and sent again if no response came (``RefreshExchange``).
/// 6. Check and merge: the authority checks the response, and the values that it omits stay (``RefreshMerge``).
/// 7. Write: the new tokens replace those that were exchanged for them (``StoredSession``).
/// 8. Publish, unless a user signed out or in meanwhile.
/// 9. Verify: the ID token follows (``IDTokenVerification``).
///
/// After every `await` the generation is compared again: a sign-in or a sign-out in the meantime prevents `publish`.
/// New tokens still reach `write`, which compares.
///
/// Confined to the session's actor: its methods run in the owner's isolation.
struct RefreshSteps {
    let authority: any TokenAuthority
    let repository: SessionRepository
    let lock: RefreshLock
    let background: any BackgroundAssertion
    let stored: StoredSession
    let journal: RefreshJournal
    let ending: SessionEnding
    let idTokens: IDTokenVerification
    let resourceTokens: ResourceTokenRefresh
    let trailingWork: TrailingWork
    let clock: SessionClock
    let logger: Logger
    /// The time without a response after which a refresh is sent a second time, well within a server's grace window.
    let replayDelay: Duration

    /// 2. Lock: runs one refresh at a time among all processes of this user.
    ///
    /// The others wait, and find the new tokens in the store. If the tokens could not be written, the lock is kept
    /// beyond the response, until they are written or this process ends. The refresh gets the result.
    func lockAndRefresh(_ flight: RefreshFlight, for owner: isolated AuthSession) async {
        // A sign-in may be in the middle of its write. Before that, there is no item to put a journal in.
        if authority.rotatesRefreshTokens, owner.current?.stored == nil { await repository.earlierWrites() }
        if owner.current?.persistenceError != nil, authority.rotatesRefreshTokens {
            // A token exchange uses up no token, so it need not wait for the write.
            if flight.request?.grant == .tokenExchange { return await refreshWithAssertion(flight, for: owner) }
            // A refresh would use up another token, so these are written first.
            do {
                try await owner.unsavedTokens.flush(waitingForFlight: false, for: owner)
            } catch {
                return owner.coordinator.complete(flight, with: .failure(error), for: owner)
            }
            guard isCurrent(flight, in: owner) else {
                return owner.coordinator.complete(flight, with: .failure(owner.absence()), for: owner)
            }
        }
        guard owner.current?.isRemembered == true, await lock.isShared else {
            return await refreshWithAssertion(flight, for: owner)
        }
        while true {
            let waitBegan = clock.uptime()
            do {
                return try await lock.whileHeld(onHoldUp: { flight.holdUp($0) }) { isHeld in
                    // Without a lock, compare and replace, and the second read before a session is ended, still respect
                    // the changes of other processes.
                    let lock = isHeld ? SessionEvent.Refresh.Lock.acquired : .unavailable
                    flight.note { ($0.lock, $0.lockWait) = (lock, clock.uptime() - waitBegan) }
                    await refreshWithAssertion(flight, for: owner)
                    if isHeld, authority.rotatesRefreshTokens { await owner.unsavedTokens.hold(for: owner) }
                }
            } catch {
                flight.note { ($0.lock, $0.lockWait) = (.busy, clock.uptime() - waitBegan) }
                owner.coordinator.complete(flight, with: .failure(error), for: owner)
                // A refresh whose response may be lost is not given up while the server repeats it.
                if flight.generation == owner.generation, let current = owner.current, owner.isReplayDue(current) {
                    continue
                }
                return
            }
        }
    }

    /// Refreshes, and asks the system not to suspend the app between the request and the write.
    private func refreshWithAssertion(_ flight: RefreshFlight, for owner: isolated AuthSession) async {
        guard flight.begin() else { return owner.observeEnd(of: flight) }
        var result = Result<TokenSet, any Error>.failure(AuthSessionError(.refreshFailed))
        await background.perform("refresh of a session") {
            if flight.request?.grant == .tokenExchange {
                result = await resourceTokens.exchange(flight, for: owner)
            } else {
                result = await run(flight, for: owner)
            }
        }
        owner.coordinator.complete(flight, with: result, for: owner)
    }

    /// 3. to 9.: exchanges the session's tokens, and keeps the new ones.
    private func run(_ flight: RefreshFlight, for owner: isolated AuthSession) async -> Result<TokenSet, any Error> {
        let old: CurrentSession
        switch await begin(flight, for: owner) {
        case .ready(let session): old = session
        case .settled(let result): return result
        }
        let (outcome, isRepeated) = await send(old, flight, for: owner)
        let result = await settle(outcome, of: old, isRepeated: isRepeated, flight, for: owner)
        // Of a response whose access token may be for another API, only the refresh token was kept.
        guard old.record.hasMixedTargets, case .success = result else { return result }
        return await run(flight, for: owner)
    }

    private enum Beginning {
        case ready(CurrentSession)
        case settled(Result<TokenSet, any Error>)
    }

    /// 3. Reread: another process may have refreshed, or signed out. 4. Journal: records that a refresh begins.
    ///
    /// A refresh that uses up its token is sent only if the store could be read and has accepted the journal, unless
    /// the session is only in memory. Otherwise another process's refresh could be repeated, or the only copy of the
    /// new tokens could be in memory.
    private func begin(_ flight: RefreshFlight, for owner: isolated AuthSession) async -> Beginning {
        let request = flight.request
        // The store is read again if another process changed the session in between. It can't do so forever.
        for _ in 0..<CompareAndReplace.attempts {
            let reading = await stored.reread(in: flight.generation, for: owner)
            switch reading {
            // The other process has refreshed the session's own token.
            case .settled(.success) where request != nil: break
            case .settled(let result): return .settled(result)
            case .unsettled, .unavailable: break
            }
            guard flight.generation == owner.generation, var current = owner.current else {
                return .settled(.failure(owner.absence()))
            }
            if let result = resourceTokens.settled(current, flight, for: owner) {
                return .settled(result)
            }
            if case .unavailable(let error) = reading, authority.rotatesRefreshTokens {
                return .settled(.failure(error))
            }
            guard authority.canRefresh(current.record.tokens) else {
                guard request == nil else { return .settled(.failure(AuthSessionError(.noRefreshToken))) }
                return .settled(await ending.handleMissingRefreshToken(current, in: flight.generation, for: owner))
            }
            if let wait = journal.reuseHoldOff(of: current) {
                do { try await clock.sleep(wait) } catch { return .settled(.failure(error)) }
                continue
            }
            if owner.coordinator.isLimitReached(for: request) {
                return .settled(.failure(AuthSessionError(.tooManyRefreshes)))
            }
            let writing = await journal.open(current, for: request?.target, in: flight.generation, for: owner)
            guard isCurrent(flight, in: owner) else {
                return .settled(.failure(owner.absence()))
            }
            switch writing {
            case .written(let session): return .ready(session)
            case .unavailable(let error) where authority.rotatesRefreshTokens: return .settled(.failure(error))
            case .unavailable:
                current.record.refreshTarget = request?.target
                return .ready(current)
            case .changed: continue
            }
        }
        return .settled(.failure(AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy))))
    }

    /// 5. Send. If no response came, the same refresh is sent again, within the server's grace window.
    private func send(
        _ old: CurrentSession,
        _ flight: RefreshFlight,
        for owner: isolated AuthSession
    ) async -> (outcome: RefreshOutcome, isRepeated: Bool) {
        owner.coordinator.noteSent(for: flight.request)
        logger.debug("refreshing, generation \(old.record.tokenGeneration)")
        let exchange = RefreshExchange(
            authority: authority,
            target: flight.request?.target,
            user: old.record.user,
            clock: clock,
            replayDelay: replayDelay,
            replayWindow: owner.replayWindow,
            // A token that a refresh doesn't use up can be presented at any time.
            shownAt: old.isReplay && authority.rotatesRefreshTokens ? old.begunAt : nil,
            mayReplay: { await owner.generation == flight.generation },
            logger: logger
        )
        let (outcome, isSentAgain) = await exchange.outcome(for: old.record.tokens)
        let isRepeated = isSentAgain || old.isReplay
        flight.note { ($0.outcome, $0.isReplay) = (.init(outcome), isRepeated) }
        return (outcome, isRepeated)
    }

    /// 6. Merge, and the effect of each other outcome on the session.
    ///
    /// New tokens are merged even if a user signed out or in meanwhile: the store decides what becomes of them.
    private func settle(
        _ outcome: RefreshOutcome,
        of old: CurrentSession,
        isRepeated: Bool,
        _ flight: RefreshFlight,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        let isSameSession = isCurrent(flight, in: owner)
        let (latest, repeatedAt) = (isSameSession ? owner.current : nil, isRepeated ? clock.reading() : nil)
        let merge = RefreshMerge(old: old, latest: latest, repeatedAt: repeatedAt)
        switch outcome {
        case .refreshed(let response) where old.record.hasMixedTargets || flight.request != nil:
            // With mixed targets, the server may have repeated its response to an earlier request, for another API.
            let request = old.record.hasMixedTargets ? nil : flight.request
            let token = request.map { ResourceToken(response.tokens, for: $0) }
            var new = merge.session(with: response.tokens.refreshToken)
            if let token { new.record.resourceTokens.keep(token) }
            let kept = await keep(new, replacing: old, flight, for: owner)
            guard let token, case .success = kept else { return kept }
            return resourceTokens.publish(token, of: old.record, for: owner)
        case .refreshed(let response):
            var new = merge.session(with: response.tokens)
            new.deadline = owner.deadline(of: response.tokens.lifetime, at: response.requestedAt)
            new.isDeadlineRead = false
            if new.record.tokens.idToken != nil { new.record.lacksNewIDToken = response.verifyIDToken == nil }
            return await keep(new, replacing: old, flight, verifying: response.verifyIDToken, for: owner)
        case .rotated(let refreshToken, let error):
            let new = merge.session(with: refreshToken)
            let kept = await keep(new, replacing: old, flight, for: owner)
            guard case .success(let current) = kept else { return kept }
            let isUnchanged = flight.request != nil || current.accessToken == new.record.tokens.accessToken
            return isUnchanged ? .failure(error) : kept
        case .mismatched(let error, let revocation):
            // The journal stays open: the refresh was carried out.
            trailingWork.add(revocation, for: owner)
            return .failure(error)
        case _ where !isSameSession:
            return .failure(owner.absence())
        case .refused(let error) where flight.request == nil:
            return await ending.refused(error, of: old, in: flight.generation, for: owner)
        case .refused(let error):
            // The API or the scope may be refused. The session's own next refresh decides whether the session is over.
            let error = error.coded(.refreshRefused)
            await journal.close(of: old, after: error, in: flight.generation, for: owner)
            return .failure(error)
        case .unknown(let error):
            // The journal stays open: the next attempt sends the same refresh again.
            owner.publishOffline(comingAgainAfter: error.retryAfter)
            return .failure(error)
        case .doubtful(let error):
            if error.code == .unreachable { owner.publishOffline(comingAgainAfter: error.retryAfter) }
            return .failure(error)
        case .failed(let error):
            await journal.close(of: old, after: error, in: flight.generation, for: owner)
            if flight.generation == owner.generation, error.code == .unreachable {
                owner.publishOffline(comingAgainAfter: error.retryAfter)
            }
            return .failure(error)
        }
    }

    /// Returns whether the session for which the refresh was requested is still signed in.
    private func isCurrent(_ flight: RefreshFlight, in owner: isolated AuthSession) -> Bool {
        flight.generation == owner.generation && owner.current != nil
    }

    /// 7. to 9.: writes and publishes new tokens.
    private func keep(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        _ flight: RefreshFlight,
        verifying verifyIDToken: (@Sendable () async throws -> IDToken)? = nil,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        if let missing = new.record.missingScope {
            logger.warning("the server granted less scope than at the sign-in", metadata: ["missing": "\(missing)"])
        }
        // 7. Write. A failed write loses nothing: the tokens stay in memory, and the write is retried.
        switch await stored.write(new, replacing: old, in: flight.generation, for: owner) {
        case .overtaken(let isGone):
            if isGone { owner.revokeUnused(new.record.tokens, of: new.record.user) }
            guard isCurrent(flight, in: owner) else { return .failure(owner.absence()) }
            if case .settled(let result) = await stored.reread(in: flight.generation, for: owner) { return result }
            let isSameSession = flight.generation == owner.generation
            return .failure(isSameSession ? AuthSessionError(.storeUnavailable) : owner.absence())
        case .done(let written):
            // 8. Publish, unless a user signed out or in meanwhile. If the tokens are in the store then, the sign-out
            // or sign-in that removes them revokes them.
            guard isCurrent(flight, in: owner) else {
                if written.persistenceError != nil || !written.isRemembered {
                    owner.revokeUnused(written.record.tokens, of: written.record.user)
                }
                return .failure(owner.absence())
            }
            let isNamedAnew = owner.current?.record.user != new.record.user
            owner.apply(.refreshed(written))
            // The server has named the user anew during the write: here, or in another process.
            if isNamedAnew {
                await owner.keepUser(in: flight.generation)
            } else if let user = written.record.user, user != new.record.user {
                owner.update(user, since: flight.generation)
            }
            logger.debug("refreshed, generation \(written.record.tokenGeneration)")
            if written.persistenceError != nil { owner.unsavedTokens.keepSaving(for: owner) }
            // 9. Verify the ID token. No caller waits for that, and it undoes nothing of the above.
            if let verifyIDToken {
                idTokens.verify(verifyIDToken, of: written.record.tokens, in: flight.generation, for: owner)
            }
            return .success(written.record.tokens)
        }
    }
}
