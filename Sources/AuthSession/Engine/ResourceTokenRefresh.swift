// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Logging

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The access tokens of a session for other APIs.
///
/// A refresh gets them by the steps of ``RefreshSteps``, or a token exchange by ``exchange(_:for:)``. Confined to the
/// session's actor: its methods run in the owner's isolation.
struct ResourceTokenRefresh {
    let authority: any TokenAuthority
    let stored: StoredSession
    let trailingWork: TrailingWork
    let clock: SessionClock
    let logger: Logger

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
            guard request.grant == .tokenExchange else {
                return try await join(request, superseding: kept?.accessToken, in: startGeneration, for: owner)
            }
            return try await exchanged(request, superseding: kept?.accessToken, in: startGeneration, for: owner)
        } catch let error as AuthSessionError where !error.endsSession && startGeneration == owner.generation {
            guard let usable, !deadline(of: usable).hasEnded(at: clock.uptime()) else { throw error }
            return usable.tokens(of: session.tokens)
        }
    }

    /// Exchanges the session's own access token, and once more with another one if the server may have refused it.
    ///
    /// The server may have revoked a token that is valid by the clock. A token of the last five minutes is not
    /// replaced, so that an exchange that is refused for another reason does not refresh the session each time.
    private func exchanged(
        _ request: ResourceRequest,
        superseding superseded: AccessToken?,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async throws -> TokenSet {
        let presented = try await owner.tokensToSend()
        do {
            return try await join(request, superseding: superseded, in: startGeneration, for: owner)
        } catch let error as AuthSessionError where error.mayConcernSubjectToken {
            guard startGeneration == owner.generation, mayReplace(presented, of: owner) else { throw error }
            do {
                _ = try await owner.tokensToSend(insteadOf: presented.accessToken)
            } catch let failure as AuthSessionError where !failure.endsSession {
                throw error
            }
            return try await join(request, superseding: superseded, anew: true, in: startGeneration, for: owner)
        }
    }

    /// Returns whether a refresh may replace the session's own tokens although they are valid by the clock.
    private func mayReplace(_ tokens: TokenSet, of owner: isolated AuthSession) -> Bool {
        guard let current = owner.current, let issuedAt = tokens.lifetime.issuedAt else { return false }
        // Sent again, a used refresh token may end the session.
        return authority.canRefresh(tokens) && !owner.isPastReplay(current)
            && clock.date().timeIntervalSince(issuedAt) > 300
    }

    private func join(
        _ request: ResourceRequest,
        superseding superseded: AccessToken?,
        anew: Bool = false,
        in startGeneration: Int,
        for owner: isolated AuthSession
    ) async throws -> TokenSet {
        let coordinator = owner.coordinator
        try await coordinator.waitForOthers(than: request, promptly: false)
        guard startGeneration == owner.generation else { throw AuthSessionError(.notSignedIn) }
        let tokens = try await coordinator.join(request, superseding: superseded, anew: anew, for: owner).value()
        // Another user's token must not reach the caller.
        guard startGeneration == owner.generation else { throw AuthSessionError(.notSignedIn) }
        return tokens
    }

    /// Returns the result of a refresh for another API that must not be sent; nil if it is to be sent.
    func settled(
        _ session: CurrentSession,
        _ flight: RefreshFlight,
        for owner: isolated AuthSession
    ) -> Result<TokenSet, any Error>? {
        guard flight.request != nil else { return nil }
        if let tokens = kept(in: session.record, for: flight) { return .success(tokens) }
        // Presented again, the old token may look like a thief's. Only the session's own refresh risks that, unless its
        // access token has no end.
        let isRisky = owner.isPastReplay(session) && session.deadline.end != nil
        return isRisky ? .failure(AuthSessionError(.refreshOutcomeUnknown)) : nil
    }

    /// 8. Publish: takes over another API's access token that came with a refresh, after the write.
    func publish(
        _ token: ResourceToken,
        of record: SessionRecord,
        for owner: isolated AuthSession
    ) -> Result<TokenSet, any Error> {
        // The user may have signed in anew, in another process: that session has other tokens.
        guard owner.current?.record.isOfSameSignIn(as: record) == true else {
            return .failure(AuthSessionError(.notSignedIn))
        }
        owner.apply(.obtained(token))
        return .success(token.tokens(of: record.tokens))
    }

    /// Exchanges the session's access token for another API's, which uses up nothing and needs no journal.
    func exchange(_ flight: RefreshFlight, for owner: isolated AuthSession) async -> Result<TokenSet, any Error> {
        // Another process may have exchanged it.
        if case .settled(.failure(let error)) = await stored.reread(in: flight.generation, for: owner) {
            return .failure(error)
        }
        guard flight.generation == owner.generation, let session = owner.current?.record, let request = flight.request
        else { return .failure(owner.absence()) }
        if let tokens = kept(in: session, for: flight) { return .success(tokens) }
        if owner.coordinator.isLimitReached(for: request) { return .failure(AuthSessionError(.tooManyRefreshes)) }
        owner.coordinator.noteSent(for: request)
        let outcome = await send(request, with: session)
        flight.note { $0.outcome = .init(outcome) }
        guard flight.generation == owner.generation, owner.current?.record.isOfSameSignIn(as: session) == true else {
            if case .refreshed(let response) = outcome { owner.revokeUnused(response.tokens, of: session.user) }
            return .failure(owner.absence())
        }
        switch outcome {
        case .refreshed(let response):
            let token = ResourceToken(response.tokens, for: request)
            owner.apply(.obtained(token))
            do {
                try await owner.updateStored(in: flight.generation, where: { $0.isOfSameSignIn(as: session) }) {
                    $0.resourceTokens.keep(token)
                }
            } catch {
                logger.debug("the access token for another API could not be written to the store")
            }
            guard flight.generation == owner.generation else { return .failure(owner.absence()) }
            return .success(token.tokens(of: session.tokens))
        case .mismatched(let error, let revocation):
            trailingWork.add(revocation, for: owner)
            return .failure(error)
        case .refused(let error): return .failure(error.coded(.refreshRefused))
        case .rotated(_, let error), .unknown(let error), .doubtful(let error), .failed(let error):
            return .failure(error)
        }
    }

    private func send(_ request: ResourceRequest, with session: SessionRecord) async -> RefreshOutcome {
        await authority.tokens(
            for: request.target,
            by: request.grant,
            with: session.tokens,
            of: session.user,
            sendGuard: { true }
        )
    }

    /// Returns another API's token if a new one is at hand: another process may have requested it.
    private func kept(in session: SessionRecord, for flight: RefreshFlight) -> TokenSet? {
        guard let request = flight.request, let token = session.resourceTokens[request],
            token.accessToken != flight.superseded, deadline(of: token).isFresh(at: clock.uptime())
        else { return nil }
        return token.tokens(of: session.tokens)
    }

    /// Returns the times at which a token for another API is due and expires, by the wall clock.
    private func deadline(of token: ResourceToken) -> TokenDeadline {
        TokenDeadline(token.lifetime, at: clock.reading(), window: authority.refreshWindow, early: 0)
    }
}

extension AuthSessionError {
    /// Whether the server may have refused the presented access token.
    ///
    /// RFC 8693, 2.2.2: `invalid_request`. Some servers have other codes.
    fileprivate var mayConcernSubjectToken: Bool {
        ["invalid_request", "invalid_grant", "invalid_token"].contains(serverCode?.rawValue)
    }
}
