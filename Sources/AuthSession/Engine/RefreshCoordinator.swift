import APIClient
import AuthCore
import Logging
import SecureStore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The coordinator of a session's refreshes.
///
/// The order of its steps makes a refresh safe: join, lock, reread, journal, send (and replay), check and merge, write,
/// publish, verify. After every `await` the generation is compared again: a sign-in or a sign-out in the meantime
/// prevents `publish`. New tokens still reach `write`, which compares.
///
/// Owns the refresh in progress, the memory of the last failure, the limit on refreshes, the choice of the
/// inter-process lock, and the error of the newest ID token. Confined to the session's actor: its methods run in the
/// owner's isolation.
final class RefreshCoordinator {
    private let authority: any TokenAuthority
    private let repository: SessionRepository
    private let trailingWork: TrailingWork
    private let clock: SessionClock
    private let background: any BackgroundAssertion
    private let logger: Logger
    /// The time without a response after which a refresh is sent a second time, well within a server's grace window.
    private let replayDelay: Duration
    private(set) var flight: RefreshFlight?
    /// The last failures; nil is the session's own access token.
    private var backoffs: [ResourceRequest?: RefreshBackoff] = [:]
    /// The limits on refreshes; nil is the session's own access token, which another API must not block.
    private var rateLimiters: [ResourceRequest?: RefreshRateLimiter] = [:]
    private let lock: RefreshLock
    /// The reason that the newest ID token of a refresh was not kept.
    private(set) var idTokenError: (any Error)?

    init(
        authority: any TokenAuthority,
        store: any SecureStore,
        repository: SessionRepository,
        trailingWork: TrailingWork,
        clock: SessionClock,
        background: any BackgroundAssertion,
        logger: Logger,
        replayDelay: Duration,
        lockTimeout: Duration,
        lock: LockPolicy
    ) {
        self.authority = authority
        self.repository = repository
        self.trailingWork = trailingWork
        self.clock = clock
        self.background = background
        self.logger = logger
        self.replayDelay = replayDelay
        self.lock = RefreshLock(lock, of: store, timeout: lockTimeout, logger)
    }

    /// Returns tokens other than the rejected one: the current ones if another request got them first, else new ones.
    ///
    /// The access token decides: a caller that rejects another token than the current one gets the current one.
    ///
    /// - Parameters:
    ///   - rejected: The token that must not be returned again.
    ///   - promptly: Whether to wait for another process's lock for at most a second.
    ///   - owner: The session.
    /// - Returns: Other tokens, of one session. Secret.
    /// - Throws: The errors of ``AuthSession/accessToken()``.
    func tokens(
        insteadOf rejected: AccessToken,
        promptly: Bool = false,
        for owner: isolated AuthSession
    ) async throws -> TokenSet {
        _ = try await owner.requireCurrent()
        try await waitForOthers(than: nil, promptly: promptly)
        // No `await` from here to the refresh: another API's must not come in between.
        guard let current = owner.current?.record.tokens else { throw owner.absence() }
        guard !owner.core.isOfEarlierSession(rejected) else { throw AuthSessionError(.notSignedIn) }
        guard current.accessToken == rejected else { return current }
        let flight = join(for: owner)
        return try await promptly ? flight.promptValue() : flight.value()
    }

    /// Returns an access token for another API: the kept one, unless it is rejected or due, else a new one.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - rejected: The token that must not be returned again; nil for none.
    ///   - owner: The session.
    /// - Returns: The access token with the session's key. Secret.
    /// - Throws: The errors of ``AuthSession/accessToken(for:by:)``.
    func tokens(
        for request: ResourceRequest,
        insteadOf rejected: AccessToken?,
        for owner: isolated AuthSession
    ) async throws -> TokenSet {
        guard authority.resourceTokenGrants.contains(request.grant), !request.target.isEmpty else {
            throw AuthSessionError(.contractMismatch)
        }
        let session = try await owner.requireCurrent().record
        let startGeneration = owner.generation
        if let rejected, owner.core.isOfEarlierSession(rejected) { throw AuthSessionError(.notSignedIn) }
        let kept = session.resourceTokens[request]
        let usable = kept.flatMap { $0.accessToken == rejected ? nil : $0 }
        if let usable, deadline(of: usable).isFresh(at: clock.uptime()) { return usable.tokens(of: session.tokens) }
        do {
            // The session's own access token is presented, so it must be valid.
            if request.grant == .tokenExchange { _ = try await owner.tokensToSend() }
            try await waitForOthers(than: request, promptly: false)
            guard startGeneration == owner.generation else { throw AuthSessionError(.notSignedIn) }
            let tokens = try await join(request, superseding: kept?.accessToken, for: owner).value()
            // Another user's token must not reach the caller.
            guard startGeneration == owner.generation else { throw AuthSessionError(.notSignedIn) }
            return tokens
        } catch let error as AuthSessionError where !error.endsSession && startGeneration == owner.generation {
            guard let usable, !deadline(of: usable).hasEnded(at: clock.uptime()) else { throw error }
            return usable.tokens(of: session.tokens)
        }
    }

    /// Refreshes even if the last attempt has just failed.
    ///
    /// - Parameters:
    ///   - promptly: Whether to wait for another process's lock for at most a second.
    ///   - owner: The session.
    /// - Throws: The errors of ``AuthSession/accessToken()``.
    func refresh(promptly: Bool = false, for owner: isolated AuthSession) async throws {
        try await waitForOthers(than: nil, promptly: promptly)
        let flight = join(anew: true, for: owner)
        _ = try await promptly ? flight.promptValue() : flight.value()
    }

    /// Begins a refresh that no caller waits for, unless one is in progress.
    func refreshInBackground(for owner: isolated AuthSession) {
        if flight == nil { _ = join(for: owner) }
    }

    /// Waits for the refreshes that get another access token.
    private func waitForOthers(than request: ResourceRequest?, promptly: Bool) async throws {
        while let other = flight, other.request != request {
            do {
                _ = try await promptly ? other.promptValue() : other.value()
            } catch {
                try Task.checkCancellation()
                // The other refresh still waits for another process's lock.
                if flight === other { throw error }
            }
        }
    }

    /// Returns the times at which a token for another API is due and expires, by the wall clock.
    private func deadline(of token: ResourceToken) -> TokenDeadline {
        TokenDeadline(token.lifetime, at: clock.reading(), window: authority.refreshWindow, early: 0)
    }

    /// 1. Join: returns the one refresh in progress, or begins one in a task that is the session's own.
    ///
    /// A waiting caller that is cancelled leaves. The refresh continues, even if the last caller leaves, unless it is
    /// called off while it only waits for the lock. All waiting callers share a failure, and so do callers shortly
    /// afterwards.
    ///
    /// - Parameters:
    ///   - request: The request for another API's access token; nil for the session's own.
    ///   - superseded: The token for that API that the new one replaces; nil for none.
    ///   - anew: Whether to try although the last attempt has just failed.
    ///   - owner: The session.
    /// - Returns: The refresh.
    private func join(
        _ request: ResourceRequest? = nil,
        superseding superseded: AccessToken? = nil,
        anew: Bool = false,
        for owner: isolated AuthSession
    ) -> RefreshFlight {
        if let flight {
            // One API's token must never be taken for another's.
            precondition(flight.request == request)
            flight.measurement?.join()
            return flight
        }
        if !anew, let failure = backoffs[request]?.failure(at: clock.uptime()) {
            let flight = RefreshFlight(for: request)
            flight.finish(.failure(failure))
            return flight
        }
        let measurement = owner.instruments.beginRefresh(isForResource: request != nil)
        let flight = RefreshFlight(for: request, superseding: superseded, measurement: measurement)
        self.flight = flight
        let startGeneration = owner.generation
        Task {
            await self.lockAndRefresh(flight, in: startGeneration, for: owner)
        }
        return flight
    }

    private func complete(
        _ flight: RefreshFlight,
        with result: Result<TokenSet, any Error>,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) {
        if startGeneration == owner.generation {
            switch result {
            case .success: backoffs[flight.request] = nil
            // No request was sent. If remembered, this error would still be reported after the session has ended.
            case .failure(let error as AuthSessionError) where error.code == .noRefreshToken: break
            case .failure(let error as AuthSessionError) where !error.endsSession:
                note(error, for: flight.request)
            case .failure: break
            }
        }
        if self.flight === flight { self.flight = nil }
        flight.measurement?.end(result)
        flight.finish(result)
    }

    /// The number of APIs whose last failure is remembered, and whose refreshes are counted.
    private static let mostAPIs = 32

    /// Remembers a failure, and forgets those of other APIs if they are too many.
    private func note(_ error: AuthSessionError, for request: ResourceRequest?) {
        if backoffs.count > Self.mostAPIs { backoffs = backoffs.filter { $0.key == nil || $0.key == request } }
        backoffs[request, default: RefreshBackoff()].note(error, at: clock.uptime())
    }

    /// Returns whether so many refreshes were sent that the next one must wait.
    private func isLimitReached(for request: ResourceRequest?) -> Bool {
        rateLimiters[request]?.isReached(at: clock.uptime()) ?? false
    }

    /// Counts a refresh.
    private func noteSent(for request: ResourceRequest?) {
        if rateLimiters.count > Self.mostAPIs {
            rateLimiters = rateLimiters.filter { $0.key == nil || $0.key == request }
        }
        rateLimiters[request, default: RefreshRateLimiter(count: request == nil ? 60 : 10)].note(at: clock.uptime())
    }

    /// Begins another generation: callers that wait for a refresh of the old one get the error.
    func drop(with error: AuthSessionError) {
        backoffs = [:]
        idTokenError = nil
        flight?.finish(.failure(error))
        flight = nil
    }

    /// Calls off a refresh that has not begun and that no caller waits for.
    func callOff(_ flight: RefreshFlight, _ error: AuthSessionError) {
        if flight.callOff(error), self.flight === flight { self.flight = nil }
    }

    /// Forgets the last refresh's failure.
    func forgetFailure() {
        backoffs = [:]
    }

    /// 2. Lock: runs one refresh at a time among all processes of this user.
    ///
    /// The others wait, and find the new tokens in the store. If the tokens could not be written, the lock is kept
    /// beyond the response, until they are written or this process ends.
    ///
    /// - Parameters:
    ///   - flight: The refresh, which gets the result.
    ///   - startGeneration: The generation in which the refresh began.
    ///   - owner: The session.
    private func lockAndRefresh(_ flight: RefreshFlight, in startGeneration: Int, for owner: isolated AuthSession) async
    {
        // A sign-in may be in the middle of its write. Before that, there is no item to put a journal in.
        if authority.rotatesRefreshTokens, owner.current?.stored == nil { await repository.earlierWrites() }
        if owner.current?.persistenceError != nil, authority.rotatesRefreshTokens {
            // The lock is kept for these tokens. No further token is used up before they are written.
            do {
                try await owner.unsavedTokens.flush(waitingForFlight: false, for: owner)
            } catch {
                return complete(flight, with: .failure(error), in: startGeneration, for: owner)
            }
            guard startGeneration == owner.generation, owner.current != nil else {
                return complete(flight, with: .failure(owner.absence()), in: startGeneration, for: owner)
            }
        }
        guard owner.current?.isRemembered == true, await lock.isShared else {
            return await refreshWithAssertion(flight, in: startGeneration, for: owner)
        }
        while true {
            do {
                flight.measurement?.beginWait()
                return try await lock.whileHeld(onHoldUp: { flight.holdUp($0) }) { isHeld in
                    // Without a lock, compare and replace, and the second read before a session is ended, still respect
                    // the changes of other processes.
                    flight.measurement?.endWait(isHeld ? .acquired : .unavailable)
                    await refreshWithAssertion(flight, in: startGeneration, for: owner)
                    if isHeld, authority.rotatesRefreshTokens { await owner.unsavedTokens.hold(for: owner) }
                }
            } catch {
                flight.measurement?.endWait(.busy)
                complete(flight, with: .failure(error), in: startGeneration, for: owner)
                // A refresh whose response may be lost is not given up while the server repeats it.
                if startGeneration == owner.generation, let current = owner.current, owner.isReplayDue(current) {
                    continue
                }
                return
            }
        }
    }

    /// Runs work while no other process refreshes the session.
    ///
    /// - Throws: ``AuthSessionError`` (`busy` if another process holds the lock for long); the errors of the work.
    func withProcessLock<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await lock.whileHeld { _ in try await work() }
    }

    /// Refreshes, and asks the system not to suspend the app between the request and the write.
    private func refreshWithAssertion(_ flight: RefreshFlight, in startGeneration: Int, for owner: isolated AuthSession)
        async
    {
        guard flight.begin() else { return }
        var result = Result<TokenSet, any Error>.failure(AuthSessionError(.refreshFailed))
        await background.perform("refresh of a session") {
            if let request = flight.request, request.grant == .tokenExchange {
                result = await exchange(request, flight, in: startGeneration, for: owner)
            } else {
                result = await refresh(flight, in: startGeneration, for: owner)
            }
        }
        complete(flight, with: result, in: startGeneration, for: owner)
    }

    private func refresh(
        _ flight: RefreshFlight,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        let old: CurrentSession
        switch await begin(flight, in: startGeneration, for: owner) {
        case .ready(let session): old = session
        case .settled(let result): return result
        }
        let result = await send(old, flight.measurement, in: startGeneration, for: owner)
        // Of a response whose access token may be for another API, only the refresh token was kept.
        guard old.record.hasMixedTargets, case .success = result else { return result }
        return await refresh(flight, in: startGeneration, for: owner)
    }

    /// 5. to 8.: sends a refresh that the journal names, and keeps the new tokens.
    private func send(
        _ old: CurrentSession,
        _ measurement: RefreshMeasurement?,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        let target = old.record.refreshTarget
        let request = target.map { ResourceRequest(target: $0, grant: .refreshToken) }

        // 5. Send. If no response came, the same refresh is sent again, within the server's grace window.
        noteSent(for: request)
        logger.debug("refreshing, generation \(old.record.tokenGeneration)")
        let exchange = RefreshExchange(
            authority: authority,
            target: target,
            measurement: measurement,
            user: old.record.user,
            clock: clock,
            replayDelay: replayDelay,
            replayWindow: owner.replayWindow,
            // A token that a refresh doesn't use up can be presented at any time.
            shownAt: old.isReplay && authority.rotatesRefreshTokens ? old.begunAt : nil,
            mayReplay: { await owner.generation == startGeneration },
            logger: logger
        )
        let (outcome, isRepeated) = await exchange.outcome(for: old.record.tokens)
        measurement?.note(outcome, isReplayed: isRepeated || old.isReplay)

        switch outcome {
        case .refreshed(let response) where old.record.hasMixedTargets:
            // The server may have repeated its response to an earlier request, for another API.
            let refreshToken = response.tokens.refreshToken
            let new = renewed(old, by: refreshToken, isRepeated: isRepeated, in: startGeneration, for: owner)
            return await keep(new, replacing: old, in: startGeneration, for: owner)
        case .refreshed(let response):
            if let request {
                return await keep(
                    ResourceToken(response.tokens, for: request),
                    with: response.tokens.refreshToken,
                    replacing: old,
                    isRepeated: isRepeated,
                    in: startGeneration,
                    for: owner
                )
            }
            // This applies even if a user signed out or in meanwhile: the store decides what becomes of the tokens.
            var new = renewed(old, by: response.tokens, isRepeated: isRepeated, in: startGeneration, for: owner)
            new.deadline = owner.deadline(of: response.tokens.lifetime, at: response.requestedAt)
            new.isDeadlineRead = false
            if new.record.tokens.idToken != nil { new.record.lacksNewIDToken = response.verifyIDToken == nil }
            return await keep(new, replacing: old, verifying: response.verifyIDToken, in: startGeneration, for: owner)
        case .rotated(let refreshToken, let error):
            let new = renewed(old, by: refreshToken, isRepeated: isRepeated, in: startGeneration, for: owner)
            let kept = await keep(new, replacing: old, in: startGeneration, for: owner)
            switch kept {
            case .success(let current) where target != nil || current.accessToken == new.record.tokens.accessToken:
                return .failure(error)
            case .success, .failure: return kept
            }
        case .mismatched(let error, let revocation):
            // The journal stays open: the refresh was carried out.
            trailingWork.add(revocation, for: owner)
            return .failure(error)
        case _ where startGeneration != owner.generation || owner.current == nil:
            return .failure(owner.absence())
        case .refused(let error) where target != nil:
            // The API or the scope may be refused. The session's own next refresh decides whether the session is over.
            let error = error.coded(.refreshRefused)
            await closeJournal(of: old, after: error, in: startGeneration, for: owner)
            return .failure(error)
        case .refused(let error):
            return await refused(error, of: old, in: startGeneration, for: owner)
        case .unknown(let error):
            // The journal stays open: the next attempt sends the same refresh again.
            owner.publishOffline(comingAgainAfter: error.retryAfter)
            return .failure(error)
        case .doubtful(let error):
            if error.code == .unreachable { owner.publishOffline(comingAgainAfter: error.retryAfter) }
            return .failure(error)
        case .failed(let error):
            await closeJournal(of: old, after: error, in: startGeneration, for: owner)
            if startGeneration == owner.generation, error.code == .unreachable {
                owner.publishOffline(comingAgainAfter: error.retryAfter)
            }
            return .failure(error)
        }
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
    private func begin(
        _ flight: RefreshFlight,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Beginning {
        let request = flight.request
        // The store is read again each time that another process changed the session in between. It can't do so
        // forever.
        for _ in 0..<CompareAndReplace.attempts {
            let reading = await reread(in: startGeneration, for: owner)
            switch reading {
            // The other process has refreshed the session's own token.
            case .settled(.success) where request != nil: break
            case .settled(let result): return .settled(result)
            case .unsettled, .unavailable: break
            }
            guard startGeneration == owner.generation, var current = owner.current else {
                return .settled(.failure(owner.absence()))
            }
            if let request {
                if let tokens = kept(for: request, superseding: flight.superseded, for: owner) {
                    return .settled(.success(tokens))
                }
                // Presented again, the old token may look like a thief's. Only the session's own refresh risks that, unless
                // its access token has no end.
                if owner.isPastReplay(current), current.deadline.end != nil {
                    return .settled(.failure(AuthSessionError(.refreshOutcomeUnknown)))
                }
            }
            if case .unavailable(let error) = reading, authority.rotatesRefreshTokens {
                return .settled(.failure(error))
            }
            guard authority.canRefresh(current.record.tokens) else {
                guard request == nil else { return .settled(.failure(AuthSessionError(.noRefreshToken))) }
                return .settled(await handleMissingRefreshToken(current, in: startGeneration, for: owner))
            }
            if let wait = reuseHoldOff(of: current) {
                do { try await clock.sleep(wait) } catch { return .settled(.failure(error)) }
                continue
            }
            if isLimitReached(for: request) {
                return .settled(.failure(AuthSessionError(.tooManyRefreshes)))
            }
            let writing = await journal(current, for: request?.target, in: startGeneration, for: owner)
            guard startGeneration == owner.generation, owner.current != nil else {
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

    /// Returns the wait until the tokens of a repeated refresh may be exchanged, or nil if there is no wait.
    ///
    /// The first request of that refresh may still be in transit.
    private func reuseHoldOff(of session: CurrentSession) -> Duration? {
        guard authority.rotatesRefreshTokens, let window = authority.graceWindow, let repeatedAt = session.repeatedAt
        else {
            return nil
        }
        let left = repeatedAt + window - clock.uptime()
        return left > .zero ? left : nil
    }

    /// 3. Reread: takes over the changes of another process.
    func reread(in startGeneration: Int, for owner: isolated AuthSession) async -> StoreReading {
        // A sign-in is still being written, or can't be: the store's content is older.
        guard let known = owner.current, let stored = known.stored, known.isRemembered else { return .unsettled }
        let item: SecretBytes?
        do {
            item = try await repository.item()
        } catch {
            logger.debug("the store can't be read for the refresh")
            // The store's tokens are used up already. Only those in memory are of use.
            if known.persistenceError != nil { return .unsettled }
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
        guard startGeneration == owner.generation, let now = owner.current else {
            return .settled(.failure(owner.absence()))
        }
        // The session changed here during the read: the item that was read is older.
        guard now.stored?.item == stored.item else { return .unsettled }
        // The item is gone. If this process is removing it, it publishes the reason itself.
        guard let item else { return owner.core.isEnding ? .unsettled : leave(for: owner) }
        // The write that follows replaces the item, even if its other bytes differ.
        if item == stored.item || known.persistenceError != nil { return .unsettled }
        do {
            return adopt(try SessionRecord(item, of: authority), from: item, instead: known, for: owner)
        } catch {
            logger.warning("the stored session was changed and can't be read (\(error.code))")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Leaves the session, because another process signed out, or signed in at another backend.
    private func leave(for owner: isolated AuthSession) -> StoreReading {
        owner.apply(.left)
        return .settled(.failure(owner.absence()))
    }

    private func adopt(
        _ record: SessionRecord,
        from item: SecretBytes,
        instead known: CurrentSession,
        for owner: isolated AuthSession
    ) -> StoreReading {
        guard !record.isForeign else { return leave(for: owner) }
        let isSameUser =
            record.isOfSameSignIn(as: known.record) || SessionUser.isSame(record.user, as: known.record.user)
        let adopted = owner.currentSession(record, from: item)
        let isNew = record.tokens.accessToken != known.record.tokens.accessToken
        owner.apply(.adopted(adopted, isNew: isNew, isOfSameUser: isSameUser))
        guard isSameUser else { return .settled(.failure(AuthSessionError(.notSignedIn))) }
        // A process that is gone left a refresh open: it continues here while the server repeats its response.
        guard isNew, !owner.isReplayDue(adopted), adopted.deadline.freshness(at: clock.uptime()) != .expired else {
            return .unsettled
        }
        logger.debug("another process has refreshed, generation \(record.tokenGeneration)")
        return .settled(.success(record.tokens))
    }

    /// 4. Journal: records in the store that a refresh of these tokens has begun.
    ///
    /// A process that finds the journal after a crash knows that the server may have replaced the tokens. It sends the
    /// same refresh again while the server's grace window is open.
    private func journal(
        _ session: CurrentSession,
        for target: TokenTarget?,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> JournalWriting {
        var session = session
        // The refresh was begun before and its outcome is unknown: the window began with the first attempt.
        if session.record.refreshBegunAt != nil {
            session.isReplay = true
            // Past the window, the refresh is the last resort. The server may carry it out now: if that response is
            // lost, it is requested again in a window of its own. A server that has replaced the token before refuses
            // both.
            let isOther = authority.rotatesRefreshTokens && session.record.refreshTarget != target
            if isOther { session.record.hasMixedTargets = true }
            if owner.isReplayDue(session), !isOther { return .written(session) }
        }
        session.record.refreshTarget = target
        if session.isReplay, !authority.rotatesRefreshTokens { return .written(session) }
        // The tokens in memory are newer than those in the store, which are used up already.
        guard session.persistenceError == nil else { return unjournaled(session) }
        if !owner.isReplayDue(session) {
            let now = clock.reading()
            (session.record.refreshBegunAt, session.begunAt) = (now.date, now.uptime)
        }
        guard session.isRemembered, let stored = session.stored else {
            // The session is only in memory, and so is its journal.
            if !session.isRemembered { owner.apply(.journaled(session)) }
            return session.isRemembered ? unjournaled(session) : .written(session)
        }
        do {
            guard let written = try await repository.replace(stored, with: session.record) else { return .changed }
            session.stored = written
            if startGeneration == owner.generation { owner.apply(.journaled(session)) }
            return .written(session)
        } catch {
            logger.warning("the start of a refresh could not be written to the store")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Returns the outcome for tokens that the store does not hold: a refresh that would use them up waits until it
    /// does.
    private func unjournaled(_ session: CurrentSession) -> JournalWriting {
        guard authority.rotatesRefreshTokens else { return .written(session) }
        return .unavailable(
            AuthSessionError(.storeUnavailable, underlying: session.persistenceError ?? SecureStoreError(.busy))
        )
    }

    /// Closes the journal of a refresh that the server certainly has not carried out.
    ///
    /// Also records a refusal, so that the user learns of it from any process. This is a best effort: if the journal
    /// stays open, the next attempt is a replay. It is made at once within the server's window, and past it not before
    /// the access token expires.
    private func closeJournal(
        of old: CurrentSession,
        after error: AuthSessionError,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async {
        // An earlier request may have been carried out. The failure of this one does not show it.
        let closes = !old.isReplay && old.record.refreshBegunAt != nil
        let refusal =
            old.record.refreshTarget == nil
            ? RefreshRefusal(error, since: old.record.refreshRefusal?.since ?? clock.date()) : nil
        guard closes || refusal != nil else { return }
        var session = old
        if closes { (session.record.refreshBegunAt, session.record.refreshTarget, session.begunAt) = (nil, nil, nil) }
        session.record.refreshRefusal = refusal ?? session.record.refreshRefusal
        do {
            if session.isRemembered {
                guard let stored = old.stored else { return }
                // The user may have been written since. A journal of another process stays.
                let (tokens, begunAt) = (stored.tokens, try SessionRecord(stored.item).refreshBegunAt)
                let written = try await repository.update(
                    where: { $0.tokens.isSame(as: tokens) && $0.refreshBegunAt == begunAt },
                    { record in
                        if closes { (record.refreshBegunAt, record.refreshTarget) = (nil, nil) }
                        record.refreshRefusal = refusal ?? record.refreshRefusal
                    }
                )
                guard let written else { return }
                session.stored = written.new
            }
            if startGeneration == owner.generation { owner.apply(.journalClosed(session)) }
        } catch {
            logger.debug("the end of a failed refresh could not be written to the store")
        }
    }

    /// 6. Merge: returns the session with the response's tokens, which the authority has checked. Omitted values stay.
    private func renewed(
        _ old: CurrentSession,
        by response: TokenSet,
        isRepeated: Bool,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) -> CurrentSession {
        var new = old
        new.isReplay = false
        let repeatedAt = isRepeated || old.isReplay ? clock.reading() : nil
        new.record = old.record.refreshed(response, repeatedAt: repeatedAt?.date)
        (new.begunAt, new.repeatedAt) = (nil, repeatedAt?.uptime)
        if startGeneration == owner.generation, let current = owner.current {
            new.record.user = current.record.user
            // The ID token was verified after the refresh began.
            new.record.tokens.idToken = current.record.tokens.idToken
        }
        if let missing = new.record.missingScope {
            logger.warning("the server granted less scope than at the sign-in", metadata: ["missing": "\(missing)"])
        }
        return new
    }

    /// 6. Merge: returns the session with a new refresh token; the old one stays if there is none.
    ///
    /// The session's own access token stays, with its own lifetime.
    private func renewed(
        _ old: CurrentSession,
        by refreshToken: RefreshToken?,
        isRepeated: Bool,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) -> CurrentSession {
        var tokens = old.record.tokens
        tokens.refreshToken = refreshToken ?? tokens.refreshToken
        return renewed(old, by: tokens, isRepeated: isRepeated, in: startGeneration, for: owner)
    }

    /// 6. Merge: keeps another API's access token, and the refresh token that came with it.
    private func keep(
        _ token: ResourceToken,
        with refreshToken: RefreshToken?,
        replacing old: CurrentSession,
        isRepeated: Bool,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        var new = renewed(old, by: refreshToken, isRepeated: isRepeated, in: startGeneration, for: owner)
        new.record.supportsValidation = old.record.supportsValidation
        new.record.resourceTokens.keep(token)
        let kept = await keep(new, replacing: old, in: startGeneration, for: owner)
        guard case .success = kept else { return kept }
        // The user may have signed in anew, in another process: that session has other tokens.
        guard owner.current?.record.isOfSameSignIn(as: old.record) == true else {
            return .failure(AuthSessionError(.notSignedIn))
        }
        owner.apply(.obtained(token))
        return .success(token.tokens(of: old.record.tokens))
    }

    private func keep(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        verifying verifyIDToken: (@Sendable () async throws -> IDToken)? = nil,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        // 7. Write. A failed write loses nothing: the tokens stay in memory, and the write is retried.
        switch await write(new, replacing: old, in: startGeneration, for: owner) {
        case .overtaken(let isGone):
            if isGone { owner.revokeUnused(new.record.tokens, of: new.record.user) }
            guard startGeneration == owner.generation, owner.current != nil else { return .failure(owner.absence()) }
            if case .settled(let result) = await reread(in: startGeneration, for: owner) { return result }
            return .failure(startGeneration == owner.generation ? AuthSessionError(.storeUnavailable) : owner.absence())
        case .done(let written):
            // 8. Publish, unless a user signed out or in meanwhile. If the tokens are in the store then, the sign-out
            // or sign-in that removes them revokes them.
            guard startGeneration == owner.generation, owner.current != nil else {
                if written.persistenceError != nil || !written.isRemembered {
                    owner.revokeUnused(written.record.tokens, of: written.record.user)
                }
                return .failure(owner.absence())
            }
            let isNamedAnew = owner.current?.record.user != new.record.user
            owner.apply(.refreshed(written))
            // The server has named the user anew during the write: here, or in another process.
            if isNamedAnew {
                await owner.keepUser(in: startGeneration)
            } else if let user = written.record.user, user != new.record.user {
                owner.update(user, since: startGeneration)
            }
            logger.debug("refreshed, generation \(written.record.tokenGeneration)")
            if written.persistenceError != nil { owner.unsavedTokens.keepSaving(for: owner) }
            // 9. Verify the ID token. No caller waits for that, and it undoes nothing of the above.
            if let verifyIDToken { verify(verifyIDToken, of: written.record.tokens, in: startGeneration, for: owner) }
            return .success(written.record.tokens)
        }
    }

    /// 7. Write: puts new tokens in the place of those that were exchanged for them, and of no others.
    ///
    /// This applies even if a user signed out or in meanwhile, as long as the store holds the old tokens. The later
    /// removal or replacement of the record finds the tokens to revoke in it. If the process is killed before that, the
    /// record does not hold used tokens.
    func write(
        _ new: CurrentSession,
        replacing old: CurrentSession,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> TokenWriting {
        guard new.isRemembered else { return .done(new) }
        var (new, expected) = (new, old.stored)
        do {
            for _ in 0..<CompareAndReplace.attempts {
                guard let stored = expected else {
                    // The sign-in has not been written yet. A sign-out in the meantime has removed its place.
                    return startGeneration == owner.generation
                        ? .done(await owner.unsavedTokens.retried(new, for: owner)) : .overtaken(isGone: true)
                }
                if let written = try await repository.replace(stored, with: new.record) {
                    new.stored = written
                    new.persistenceError = nil
                    return .done(new)
                }
                guard let item = try await repository.item() else {
                    return .overtaken(isGone: true)
                }
                let found = try SessionRecord(item, of: authority)
                // The item holds the used tokens or already the new ones: another process wrote it without the lock.
                guard found.tokens.isSame(as: stored.tokens) || found.tokens.isSame(as: new.record.tokens) else {
                    return .overtaken(isGone: !found.isOfSameSignIn(as: new.record))
                }
                // That process has stored the user as the server names them now.
                if try SessionRecord(stored.item).user == new.record.user { new.record.user = found.user }
                expected = StoredItem(item: item, tokens: found.tokens)
            }
            new.persistenceError = SecureStoreError(.busy)
        } catch {
            new.persistenceError = SecureStoreError(cause: error)
        }
        logger.warning("new tokens could not be written to the store; they are kept in memory")
        return .done(new)
    }

    /// 9. Verify: keeps the ID token of a refresh, if the provider issued it to this client for this user.
    ///
    /// The provider's keys may have to be fetched, so the tokens are stored and handed out before. If the process is
    /// killed in between, the earlier ID token stays, and the next refresh brings another one.
    ///
    /// - Parameters:
    ///   - verifyIDToken: Verifies the token.
    ///   - tokens: The tokens that it came with.
    ///   - startGeneration: The generation in which the refresh began.
    ///   - owner: The session.
    private func verify(
        _ verifyIDToken: @escaping @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) {
        trailingWork.add({ await owner.keepIDToken(verifyIDToken, of: tokens, in: startGeneration) }, for: owner)
    }

    fileprivate func keepIDToken(
        _ verifyIDToken: @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async {
        let verified: Result<IDToken, any Error>
        do {
            verified = .success(try await verifyIDToken())
        } catch is CancellationError {
            // The session's own task is never cancelled.
            return logger.debug("the verification of a new ID token was cancelled")
        } catch {
            verified = .failure(error)
        }
        // The tokens were replaced meanwhile, by a refresh with another ID token or by another session.
        guard startGeneration == owner.generation, owner.current?.record.tokens.isSame(as: tokens) == true else {
            return
        }
        switch verified {
        case .success(let token):
            idTokenError = nil
            owner.apply(.verified(token))
            owner.showTokens()
            await store(token, of: tokens, in: startGeneration, for: owner)
        case .failure(let error):
            idTokenError = error
            logger.warning(
                "the new ID token was rejected, the previous one is kept",
                metadata: ["type": "\(type(of: error))"]
            )
        }
    }

    /// Writes the ID token to the item, if the item holds the tokens that it came with.
    ///
    /// A failed write loses nothing, because the next write contains the ID token too.
    private func store(
        _ idToken: IDToken,
        of tokens: TokenSet,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async {
        // A refresh in progress replaces the item. If it fails, the ID token is still to be written.
        while let flight { _ = try? await flight.value() }
        guard startGeneration == owner.generation, let current = owner.current, current.record.tokens.isSame(as: tokens)
        else { return }
        owner.apply(.verified(idToken))
        do {
            try await owner.updateStored(in: startGeneration, where: { $0.tokens.isSame(as: tokens) }) {
                $0.tokens.idToken = idToken
            }
        } catch {
            logger.warning("the new ID token could not be written to the store; it is kept in memory")
        }
    }

    // MARK: Token exchange

    /// Exchanges the session's access token for another API's, which uses up nothing and needs no journal.
    private func exchange(
        _ request: ResourceRequest,
        _ flight: RefreshFlight,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        // Another process may have exchanged it.
        if case .settled(.failure(let error)) = await reread(in: startGeneration, for: owner) { return .failure(error) }
        guard startGeneration == owner.generation, let session = owner.current?.record else {
            return .failure(owner.absence())
        }
        if let tokens = kept(for: request, superseding: flight.superseded, for: owner) { return .success(tokens) }
        if isLimitReached(for: request) { return .failure(AuthSessionError(.tooManyRefreshes)) }
        noteSent(for: request)
        let exchange: @Sendable () async -> RefreshOutcome = { [authority] in
            await authority.tokens(
                for: request.target,
                by: request.grant,
                with: session.tokens,
                of: session.user,
                sendGuard: { true }
            )
        }
        let outcome =
            if let measurement = flight.measurement { await measurement.run(exchange) } else { await exchange() }
        flight.measurement?.note(outcome, isReplayed: false)
        guard startGeneration == owner.generation, owner.current?.record.isOfSameSignIn(as: session) == true else {
            if case .refreshed(let response) = outcome { owner.revokeUnused(response.tokens, of: session.user) }
            return .failure(owner.absence())
        }
        switch outcome {
        case .refreshed(let response):
            let token = ResourceToken(response.tokens, for: request)
            owner.apply(.obtained(token))
            do {
                try await owner.updateStored(in: startGeneration, where: { $0.isOfSameSignIn(as: session) }) {
                    $0.resourceTokens.keep(token)
                }
            } catch {
                logger.debug("the access token for another API could not be written to the store")
            }
            guard startGeneration == owner.generation else { return .failure(owner.absence()) }
            return .success(token.tokens(of: session.tokens))
        case .mismatched(let error, let revocation):
            trailingWork.add(revocation, for: owner)
            return .failure(error)
        case .refused(let error): return .failure(error.coded(.refreshRefused))
        case .rotated(_, let error), .unknown(let error), .doubtful(let error), .failed(let error):
            return .failure(error)
        }
    }

    /// Returns another API's token if a new one is at hand: another process may have requested it.
    private func kept(
        for request: ResourceRequest,
        superseding superseded: AccessToken?,
        for owner: isolated AuthSession
    ) -> TokenSet? {
        guard let session = owner.current?.record, let token = session.resourceTokens[request],
            token.accessToken != superseded, deadline(of: token).isFresh(at: clock.uptime())
        else { return nil }
        return token.tokens(of: session.tokens)
    }

    // MARK: The end of a session

    /// Handles a session that can't be refreshed and lasts as long as its access token.
    ///
    /// The server decides how long that is, if it can be asked: this device's clock may be wrong. If it can't, a
    /// session whose token expired while this process measured its lifetime has ended.
    private func handleMissingRefreshToken(
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
    private func refused(
        _ error: AuthSessionError,
        of old: CurrentSession,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async -> Result<TokenSet, any Error> {
        if !authority.rotatesRefreshTokens, !old.deadline.hasEnded(at: clock.uptime()),
            await !isRefused(old.record, by: owner)
        {
            let error = error.coded(.refreshRefused)
            await closeJournal(of: old, after: error, in: startGeneration, for: owner)
            return .failure(error)
        }
        for _ in 0..<CompareAndReplace.attempts {
            switch await reread(in: startGeneration, for: owner) {
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

extension AuthSession {
    fileprivate func keepIDToken(
        _ verifyIDToken: @Sendable () async throws -> IDToken,
        of tokens: TokenSet,
        in startGeneration: Int
    ) async {
        await coordinator.keepIDToken(verifyIDToken, of: tokens, in: startGeneration, for: self)
    }
}
