import AuthCore
import Logging
import SecureStore

/// The way of a refresh. Its order is the safety.
extension AuthSession {
    /// A token other than the rejected one: the current one where another request got there first, else a new one.
    func refreshedToken(insteadOf rejected: AccessToken) async throws -> AccessToken {
        let current = try await currentHeld().record.tokens.accessToken
        guard !handedOut.isOlder(rejected, than: epoch) else { throw AuthSessionError(.notSignedIn) }
        guard current == rejected else { return current }
        return try await joinRefresh().value()
    }

    /// One refresh at a time: the one that is under way, or a new one, in a task that is the session's own.
    func joinRefresh() -> SharedResult<AccessToken> {
        if let flight { return flight }
        let flight = SharedResult<AccessToken>()
        self.flight = flight
        let begun = epoch
        Task {
            let result = await refreshOnce(in: begun)
            if self.flight === flight { self.flight = nil }
            flight.finish(result)
        }
        return flight
    }

    private func refreshOnce(in begun: Int) async -> Result<AccessToken, any Error> {
        // Read the store again: another process may have refreshed, or signed out.
        if case .settled(let result) = await rereadStore(in: begun) { return result }
        guard begun == epoch, let old = held else { return .failure(absence()) }

        // Send. Where no answer came, the same refresh goes out again, within the server's grace window.
        logger.debug("refreshing, generation \(old.record.generation)")
        let exchange = RefreshExchange(
            authority: authority,
            replayDelay: replayDelay,
            mayReplay: { await self.epoch == begun },
            logger: logger
        )
        let outcome = await exchange.outcome(for: old.record.tokens)

        // Signed out or in meanwhile: what came is dropped, and a new refresh token is given back.
        guard begun == epoch, held != nil else {
            if case .refreshed(let tokens) = outcome { giveBack(tokens) }
            return .failure(absence())
        }
        switch outcome {
        case .refreshed(let answer):
            return await keep(old.record.tokens.merging(answer), in: begun)
        case .refused(let error):
            return await refused(error, tokens: old.record.tokens, in: begun)
        case .unknown(let error):
            publishOffline()
            return .failure(error)
        case .failed(let error):
            if error.code == .unreachable { publishOffline() }
            return .failure(error)
        }
    }

    /// Writes the new tokens, then publishes them.
    ///
    /// A write that fails takes nothing away.
    private func keep(_ tokens: TokenSet, in begun: Int) async -> Result<AccessToken, any Error> {
        guard var new = held else { return .failure(absence()) }
        new.record.tokens = tokens
        new.record.generation += 1
        new = await saved(new, in: begun)
        guard begun == epoch else {
            giveBack(tokens)
            return .failure(absence())
        }
        held = new
        publish(.signedIn(new.record.user, .online))
        logger.debug("refreshed, generation \(new.record.generation)")
        return .success(tokens.accessToken)
    }

    /// The server says that the session is over.
    ///
    /// Another process may have been faster: then its tokens are taken.
    private func refused(
        _ error: AuthSessionError,
        tokens: TokenSet,
        in begun: Int
    ) async -> Result<AccessToken, any Error> {
        switch await rereadStore(in: begun) {
        case .settled(let result): return result
        case .unavailable(let error): return .failure(error)
        case .unsettled: break
        }
        guard begun == epoch else { return .failure(absence()) }
        guard held?.record.tokens == tokens else {
            return .failure(AuthSessionError(.unreachable, underlying: error.underlying))
        }
        await endByServer(error)
        return .failure(error)
    }

    /// Takes what another process wrote.
    func rereadStore(in begun: Int) async -> StoreReading {
        // Nothing written or read yet: a sign-in is still being written, and what the store holds is older.
        guard let known = held, known.stored != nil, known.isRemembered, known.unsaved == nil else { return .unsettled }
        let item: SecretBytes?
        do {
            item = try await store.item(forKey: SessionRecord.key)
        } catch {
            logger.debug("the store can't be read for the refresh")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
        guard begun == epoch else { return .settled(.failure(absence())) }
        guard let item else {
            raiseEpoch()
            held = nil
            publish(.signedOut(.signedOutElsewhere))
            return .settled(.failure(absence()))
        }
        guard item != known.stored else { return .unsettled }
        do {
            var record = try SessionRecord(item)
            guard record.backend.isSame(as: backend) else {
                // Another process signed in elsewhere: those tokens are not for this backend.
                raiseEpoch()
                held = nil
                publish(.signedOut(.signedOutElsewhere))
                return .settled(.failure(absence()))
            }
            record.backend = backend
            let isSamePerson = record.user?.id == known.record.user?.id
            // What waits was asked for by somebody who is not signed in any more.
            if !isSamePerson { raiseEpoch() }
            held = HeldSession(record: record, stored: item, isRemembered: true)
            publish(.signedIn(record.user, .online))
            guard isSamePerson else { return .settled(.failure(AuthSessionError(.notSignedIn))) }
            let isUsable =
                record.tokens.accessToken != known.record.tokens.accessToken
                && record.tokens.lifetime.freshness(at: now(), window: authority.refreshWindow) != .expired
            return isUsable ? .settled(.success(record.tokens.accessToken)) : .unsettled
        } catch {
            logger.warning("the stored session was changed and can't be read (\(error.code))")
            return .unavailable(AuthSessionError(.storeUnavailable, underlying: error))
        }
    }

    /// Ends the session because the server said so.
    ///
    /// What another process wrote meanwhile stays in the store.
    ///
    /// Who waits for a refresh, and who comes later, is told so once the store is cleared, and not that nobody was
    /// signed in.
    func endByServer(_ error: AuthSessionError) async {
        guard let ended = held else { return }
        let waiting = flight ?? SharedResult()
        flight = nil
        ending = waiting
        raiseEpoch()
        held = nil
        publish(.signedOut(.endedByServer))
        defer {
            if ending === waiting { ending = nil }
            waiting.finish(.failure(error))
        }
        guard ended.isRemembered, let stored = ended.stored else { return }
        do {
            _ = try await write { try await $0.removeItem(forKey: SessionRecord.key, ifEquals: stored) }
        } catch {
            logger.warning("an ended session could not be removed from the store")
        }
    }

    /// Gives tokens back that nobody will use.
    ///
    /// A best effort, made beside everything else.
    func giveBack(_ tokens: TokenSet) {
        let authority = authority
        let logger = logger
        Task {
            do {
                _ = try await authority.signOut(tokens)
            } catch {
                logger.debug("tokens of a session that is gone could not be given back")
            }
        }
    }
}
