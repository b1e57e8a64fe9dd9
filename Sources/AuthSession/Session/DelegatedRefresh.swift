// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging

/// A refresh that a session hands to another process, which a kill of its own process does not end.
///
/// Holds no token. The app passes it on in a form of its choice, such as JSON.
public struct DelegatedRefresh: Sendable, Hashable, Codable {
    /// The sign-in and the generation of the tokens that are to be replaced.
    private let signIn: String
    private let tokenGeneration: Int
    /// The request for another API's access token; nil for the session's own.
    let request: ResourceRequest?

    init(of record: SessionRecord, for request: ResourceRequest?) {
        (signIn, tokenGeneration, self.request) = (record.signIn, record.tokenGeneration, request)
    }

    /// Returns whether a record is of the sign-in whose session is to be refreshed.
    func isOfSignIn(of record: SessionRecord) -> Bool { record.signIn == signIn }
}

/// The refresh of a process that may be killed: another process locks, rereads, journals, sends and writes.
extension AuthSession {
    /// Carries out a refresh that another process's ``SessionOptions/delegateRefresh`` has handed to this one.
    ///
    /// When it returns, the new tokens are in the store. Sends nothing if other tokens are there already. This session
    /// object delegates none of its own refreshes from now on. Restores the session if that has not been done.
    ///
    /// - Throws: The errors of ``accessToken()`` and ``flush()``.
    public func carryOut(_ refresh: DelegatedRefresh) async throws {
        isDelegate = true
        _ = try await requireCurrent()
        try await waitForOthers(than: refresh.request)
        // No `await` from here to the refresh.
        guard let record = current?.record else { throw absence() }
        // Another user may have signed in since.
        guard refresh.isOfSignIn(of: record) else { throw AuthSessionError(.notSignedIn) }
        let isDue = refresh == DelegatedRefresh(of: record, for: refresh.request)
        guard isDue || refresh.request != nil else { return }
        let superseded = isDue ? refresh.request.flatMap { record.resourceTokens[$0]?.accessToken } : nil
        let flight = join(refresh.request, superseding: superseded, anew: true)
        do {
            _ = try await flight.value()
        } catch {
            try await flush()
            throw error
        }
        try await flush()
    }

    /// Whether another process is to carry out a refresh: one that may use up its token, of a session in the store.
    func mayDelegate(_ flight: RefreshFlight) -> Bool {
        guard options.delegateRefresh != nil, !isDelegate, let current else { return false }
        return authority.rotatesRefreshTokens && authority.canRefresh(current.record.tokens) && current.stored != nil
            && current.persistenceError == nil && flight.request?.grant != .tokenExchange
    }

    /// Has another process carry out a refresh, and takes over what it has written.
    ///
    /// - Returns: Whether the refresh is complete; false if it is left to this process.
    func delegate(_ flight: RefreshFlight) async -> Bool {
        guard flight.begin() else { return false }
        do {
            guard let tokens = try await delegatedTokens(flight) else { return false }
            complete(flight, with: .success(tokens))
        } catch {
            complete(flight, with: .failure(error))
        }
        return true
    }

    private func delegatedTokens(_ flight: RefreshFlight) async throws -> TokenSet? {
        // Another process may have refreshed during the wait for the lock.
        if let tokens = try await adoptStored(in: flight.epoch), flight.request == nil { return tokens }
        let known = try session(in: flight.epoch)
        // A write may have failed during the wait.
        guard mayDelegate(flight) else { return nil }
        if let tokens = try tokensAtHand(in: known, for: flight) { return tokens }
        let old = known.record
        guard !coordinator.isLimitReached(for: flight.request, at: clock.uptime()) else {
            throw AuthSessionError(.tooManyRefreshes)
        }
        logger.debug("refreshing, generation \(old.tokenGeneration), in another process")
        var failure: AuthSessionError?
        do throws(AuthSessionError) {
            let refresh = DelegatedRefresh(of: old, for: flight.request)
            guard try await options.delegateRefresh?(refresh) == true else { return nil }
        } catch {
            failure = error
        }
        coordinator.noteSent(for: flight.request, at: clock.uptime())
        // The other process has ended the session, unless a user has signed in since. A locked store does not tell.
        if let failure, failure.code == .sessionEnded {
            let isGone = (try? await repository.item() == nil) ?? false
            if isGone, isCurrent(flight.epoch) {
                apply { $0.end(failure, because: old.refreshBegunAt == nil ? .endedByServer : .refreshResponseLost) }
                throw failure
            }
        }
        let (tokens, unread) = try await adoptReadable(in: flight.epoch)
        if let tokens, flight.request == nil { return tokens }
        if let failure = failure ?? unread {
            if [.unreachable, .refreshOutcomeUnknown].contains(failure.code) {
                publishOffline(comingAgainAfter: failure.retryAfter)
            }
            throw failure
        }
        let new = try session(in: flight.epoch).record
        // Nothing new is in the store, although the other process reports success: the refresh is carried out here.
        guard new.tokenGeneration != old.tokenGeneration else { return nil }
        guard let request = flight.request else {
            // Not if it has ended since: this process may have been stopped.
            if new.tokens.accessToken != old.tokens.accessToken, let span = new.tokens.lifetime.span, span <= 0 {
                modify { $0.noteExpiredOnArrival() }
            }
            return new.tokens
        }
        // A token that is too long to be kept is requested here, and so is one in place of a kept one that was rejected.
        guard let kept = new.resourceTokens[request], kept.accessToken != flight.superseded else { return nil }
        return kept.tokens(of: new.tokens, at: clock.reading())
    }
}
