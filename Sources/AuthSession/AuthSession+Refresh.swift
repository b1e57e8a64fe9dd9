import APIClient
import AuthCore
import Logging
import OpenIDConnect
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The way of a refresh.
///
/// Its order is the safety: join, lock, reread, journal, send (and replay), check and merge, write, publish, verify. After every
/// `await` the epoch is asked again: who signed in or out meanwhile makes the rest void.
extension AuthSession {
    /// 1. Join: one refresh at a time, the one that is under way, or a new one in a task that is the session's own.
    ///
    /// A waiter that is cancelled leaves; the refresh goes on, also where the last one leaves. A failure is shared by all
    /// who wait, and by who comes shortly after.
    ///
    /// - Parameter anew: Whether to try although the last attempt failed a moment ago.
    /// - Returns: What it will come to.
    func join(anew: Bool = false) -> RefreshFlight {
        if let flight { return flight }
        let flight = RefreshFlight()
        if !anew, let failure = pause.failure(at: clock.uptime()) {
            flight.finish(.failure(failure))
            return flight
        }
        self.flight = flight
        let begun = epoch
        Task {
            await lockAndRefresh(flight, in: begun)
        }
        return flight
    }

    private func answer(
        _ flight: RefreshFlight,
        with result: Result<AccessToken, any Error>,
        in begun: Int
    ) {
        if begun == epoch {
            switch result {
            case .success: pause.clear()
            // Nobody was asked. Remembered, it would be told for a while after the session has ended.
            case .failure(let error as AuthSessionError) where error.code == .notRenewable: break
            case .failure(let error as AuthSessionError) where error.sessionStays: pause.note(error, at: clock.uptime())
            case .failure: break
            }
        }
        if self.flight === flight { self.flight = nil }
        flight.finish(result)
    }

    /// 2. Lock: one refresh among all processes of this user.
    ///
    /// The others wait, and find the new tokens in the store. Where these could not be written, the lock is held on,
    /// beyond the answer, until they are or this process ends.
    ///
    /// - Parameters:
    ///   - flight: Given what came of it.
    ///   - begun: The epoch.
    private func lockAndRefresh(_ flight: RefreshFlight, in begun: Int) async {
        // A sign-in that is being written: before it is, there is nothing that a journal could be put beside.
        if authority.usesTokenUp, held?.stored == nil { await earlierWrites() }
        if held?.unsaved != nil, authority.usesTokenUp {
            // Their lock is held on. No further token is used up before they are written.
            do {
                try await saveAgain(waitingForFlight: false)
            } catch {
                return answer(flight, with: .failure(error), in: begun)
            }
            guard begun == epoch, held != nil else { return answer(flight, with: .failure(absence()), in: begun) }
        }
        guard held?.isRemembered == true, let lock = await processLock() else {
            return await refreshAwake(flight, in: begun)
        }
        while true {
            do {
                return try await whileHeld(lock, for: flight) {
                    await refreshAwake(flight, in: begun)
                    if authority.usesTokenUp { await holdWhileUnsaved() }
                }
            } catch let error as SecureStoreError where error.code == .busy {
                answer(flight, with: .failure(AuthSessionError(.busy, underlying: error)), in: begun)
                // Whose answer may be lost is not given up while the server repeats it.
                if begun == epoch, let held, isReplayDue(held) { continue }
                return
            } catch {
                // No lock can be had on this machine. Compare and replace, and the second look before a session is
                // ended, still heed what another process does.
                logger.warning("there is no lock among processes here; the refresh goes on without")
                return await refreshAwake(flight, in: begun)
            }
        }
    }

    /// Waits for the lock, and soon lets those go on who can do without the refresh: its holder may have been stopped.
    private func whileHeld(
        _ lock: any ProcessLock,
        for flight: RefreshFlight,
        _ work: () async -> Void
    ) async throws {
        let promptly = min(.seconds(1), lockPatience / 2)
        do {
            return try await lock.whileHeld(waiting: promptly, work)
        } catch let error as SecureStoreError where error.code == .busy {
            flight.holdUp(AuthSessionError(.busy, underlying: error))
        }
        try await lock.whileHeld(waiting: lockPatience - promptly, work)
    }

    /// With the system asked not to suspend the app between what is sent and what is stored.
    private func refreshAwake(_ flight: RefreshFlight, in begun: Int) async {
        guard flight.begin() else { return }
        var result = Result<AccessToken, any Error>.failure(AuthSessionError(.refreshFailed))
        await background.perform("refresh of a session") { result = await refresh(in: begun) }
        answer(flight, with: result, in: begun)
    }

    private func refresh(in begun: Int) async -> Result<AccessToken, any Error> {
        let old: HeldSession
        switch await begin(in: begun) {
        case .ready(let session): old = session
        case .settled(let result): return result
        }

        // 5. Send. Where no answer came, the same refresh goes out again, within the server's grace window.
        limit.note(at: clock.uptime())
        logger.debug("refreshing, generation \(old.record.generation)")
        let exchange = RefreshExchange(
            authority: authority,
            user: old.record.user,
            clock: clock,
            replayDelay: replayDelay,
            replayWindow: replayWindow,
            shownAt: old.isReplay ? old.begunAt : nil,
            mayReplay: { await self.epoch == begun },
            logger: logger
        )
        let (outcome, isRepeated) = await exchange.outcome(for: old.record.tokens)

        switch outcome {
        case .refreshed(let answer):
            // Also where somebody signed out or in meanwhile: the store decides what becomes of the tokens.
            var new = renewed(old, by: answer.tokens, isRepeated: isRepeated, in: begun)
            new.deadline = deadline(of: answer.tokens.lifetime, at: answer.requestedAt)
            new.isDeadlineRead = false
            return await keep(new, replacing: old, verifying: answer.idToken, in: begun)
        case .rotated(let refreshToken, let error):
            // The access token in the hand stays, and lives as long as it did.
            var tokens = old.record.tokens
            tokens.refreshToken = refreshToken
            let new = renewed(old, by: tokens, isRepeated: isRepeated, in: begun)
            let kept = await keep(new, replacing: old, in: begun)
            guard case .success(let token) = kept, token == tokens.accessToken else { return kept }
            return .failure(error)
        case _ where begun != epoch || held == nil:
            return .failure(absence())
        case .refused(let error):
            return await refused(error, of: old, in: begun)
        case .unknown(let error):
            // The journal stays open: the next attempt sends the same one again.
            publishOffline(comingAgainAfter: error.retryAfter)
            return .failure(error)
        case .failed(let error):
            if !error.mayHaveBeenCarriedOut { await closeJournal(of: old, in: begun) }
            if begun == epoch, error.code == .unreachable { publishOffline(comingAgainAfter: error.retryAfter) }
            return .failure(error)
        }
    }

    private enum Beginning {
        case ready(HeldSession)
        case settled(Result<AccessToken, any Error>)
    }

    /// 3. Reread: another process may have refreshed, or signed out. 4. Journal: write down that a refresh begins.
    ///
    /// A refresh that uses its token up is sent only where the store says what it holds and has taken the journal: else
    /// another process's refresh could be repeated, or the only copy of the new tokens be one in memory.
    private func begin(in begun: Int) async -> Beginning {
        // Read again each time that another process changed the session in between; it can't do so for ever.
        for _ in 0..<Self.journalAttempts {
            let reading = await reread(in: begun)
            if case .settled(let result) = reading { return .settled(result) }
            guard begun == epoch, let held else { return .settled(.failure(absence())) }
            if case .unavailable(let error) = reading, authority.usesTokenUp { return .settled(.failure(error)) }
            guard authority.canRefresh(held.record.tokens) else { return .settled(await unrenewable(held, in: begun)) }
            if let wait = cooling(of: held) {
                do { try await clock.sleep(wait) } catch { return .settled(.failure(error)) }
                continue
            }
            if limit.isReached(at: clock.uptime()) { return .settled(.failure(AuthSessionError(.tooManyRefreshes))) }
            let writing = await journal(held, in: begun)
            guard begun == epoch, self.held != nil else { return .settled(.failure(absence())) }
            switch writing {
            case .written(let session): return .ready(session)
            case .unavailable(let error) where authority.usesTokenUp: return .settled(.failure(error))
            case .unavailable: return .ready(held)
            case .changed: continue
            }
        }
        return .settled(.failure(AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy))))
    }

    /// There is nothing to ask for new tokens with: the session lives as long as its access token does.
    ///
    /// How long that is the server says, as far as it can be asked: this device's clock may be wrong. Where it can't, what
    /// ended while this process watched has ended.
    private func unrenewable(_ session: HeldSession, in begun: Int) async -> Result<AccessToken, any Error> {
        let hasEnded = session.deadline.hasEnded(at: clock.uptime())
        let isTaken = await authority.takes(session.record.tokens)
        guard begun == epoch, let held, held.record.tokens.isSame(as: session.record.tokens) else {
            return .failure(absence())
        }
        switch isTaken {
        case true? where hasEnded:
            // It has no end that anybody here knows.
            self.held?.deadline = deadline(of: TokenLifetime(issuedAt: nil, expiresAt: nil), at: clock.moment())
            publish(.signedIn(held.record.user, .online))
            return .success(held.record.tokens.accessToken)
        case true?: return .failure(AuthSessionError(.notRenewable))
        case nil where !hasEnded || session.isDeadlineRead:
            if hasEnded { publishOffline() }
            return .failure(AuthSessionError(hasEnded ? .unreachable : .notRenewable))
        default: break
        }
        let isEnded = await endByServer(AuthSessionError(.sessionEnded), because: .expired)
        return .failure(isEnded && begun != epoch ? absence() : AuthSessionError(.sessionEnded))
    }

    /// How long tokens that came by a repeated refresh must not be replaced yet: its first sending may be on its way.
    private func cooling(of session: HeldSession) -> Duration? {
        guard authority.usesTokenUp, let window = authority.graceWindow, let repeatedAt = session.repeatedAt else {
            return nil
        }
        let left = repeatedAt + window - clock.uptime()
        return left > .zero ? left : nil
    }

    /// 6. Check and merge: what the answer omits stays.
    private func renewed(
        _ old: HeldSession,
        by answer: TokenSet,
        isRepeated: Bool,
        in begun: Int
    ) -> HeldSession {
        var new = old
        new.isReplay = false
        let repeatedAt = isRepeated || old.isReplay ? clock.moment() : nil
        new.record = old.record.refreshed(answer, repeatedAt: repeatedAt?.date)
        (new.begunAt, new.repeatedAt) = (nil, repeatedAt?.uptime)
        if begun == epoch, let held {
            new.record.user = held.record.user
            // Verified since the refresh began.
            new.record.tokens.idToken = held.record.tokens.idToken
        }
        if let missing = new.record.missingScope {
            logger.warning("the server grants less than at the sign-in", metadata: ["missing": "\(missing)"])
        }
        return new
    }

    private func keep(
        _ new: HeldSession,
        replacing old: HeldSession,
        verifying idToken: RefreshedIDToken? = nil,
        in begun: Int
    ) async -> Result<AccessToken, any Error> {
        // 7. Write. A write that fails takes nothing away: the tokens live on in memory, and it is tried again.
        switch await write(new, replacing: old, in: begun) {
        case .overtaken(let isGone):
            if isGone { giveBack(new.record.tokens, of: new.record.user) }
            guard begun == epoch, held != nil else { return .failure(absence()) }
            if case .settled(let result) = await reread(in: begun) { return result }
            return .failure(begun == epoch ? AuthSessionError(.storeUnavailable) : absence())
        case .done(let written):
            // 8. Publish, but for who signed out or in meanwhile. What is in the store then, who takes it out gives back.
            guard begun == epoch, held != nil else {
                if written.unsaved != nil || !written.isRemembered {
                    giveBack(written.record.tokens, of: written.record.user)
                }
                return .failure(absence())
            }
            held = written
            publish(.signedIn(written.record.user, .online))
            logger.debug("refreshed, generation \(written.record.generation)")
            if written.unsaved != nil { keepSaving() }
            // 9. Verify the ID token. Nobody waits for that, and nothing of the above is undone by it.
            if let idToken { verify(idToken, of: written.record.tokens, in: begun) }
            return .success(written.record.tokens.accessToken)
        }
    }

    /// The server says that the session is over.
    ///
    /// Another process may have been faster: then its tokens are taken. Of a token that is not used up by its refresh and
    /// has not ended, the refusal alone says nothing.
    private func refused(
        _ error: AuthSessionError,
        of old: HeldSession,
        in begun: Int
    ) async -> Result<AccessToken, any Error> {
        if !authority.usesTokenUp, !old.deadline.hasEnded(at: clock.uptime()), await !isRefused(old.record) {
            await closeJournal(of: old, in: begun)
            return .failure(AuthSessionError(.refreshFailed, underlying: error.underlying))
        }
        for _ in 0..<Self.journalAttempts {
            switch await reread(in: begun) {
            case .settled(let result): return result
            case .unavailable(let error): return .failure(error)
            case .unsettled: break
            }
            guard begun == epoch else { return .failure(absence()) }
            guard held?.record.tokens.isSame(as: old.record.tokens) == true else {
                return .failure(AuthSessionError(.unreachable, underlying: error.underlying))
            }
            if await endByServer(error, because: old.isReplay && authority.usesTokenUp ? .answerLost : .endedByServer) {
                return .failure(begun == epoch ? absence() : error)
            }
        }
        return .failure(AuthSessionError(.storeUnavailable, underlying: SecureStoreError(.busy)))
    }

    /// Whether the server, asked whether the session stands, says no.
    private func isRefused(_ record: SessionRecord) async -> Bool {
        do {
            _ = try await authority.validate(record.tokens, of: record.user)
            return false
        } catch let error as APIError {
            return error.code == .unauthorized && !error.refusesTheApp
        } catch {
            return false
        }
    }
}
