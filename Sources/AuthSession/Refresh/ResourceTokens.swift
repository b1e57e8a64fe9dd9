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
/// A refresh gets them by the steps of a refresh, or a token exchange by ``exchangedTokens(_:)``.
extension AuthSession {
    /// Returns an access token for another API: the kept one, unless it is rejected or due, else a new one.
    ///
    /// - Parameter rejected: The token that must not be returned again; nil for none.
    /// - Returns: The access token with the session's key. Secret.
    /// - Throws: The errors of ``accessToken(for:by:)``.
    func tokens(for request: ResourceRequest, insteadOf rejected: AccessToken?) async throws -> TokenSet {
        guard authority.resourceTokenGrants.contains(request.grant), !request.target.isEmpty else {
            throw AuthSessionError(.contractMismatch)
        }
        let session = try await requireCurrent().record
        let epoch = self.epoch
        if let rejected, core.isOfEarlierSession(rejected) { throw AuthSessionError(.notSignedIn) }
        let kept = session.resourceTokens[request]
        let usable = kept.flatMap { $0.accessToken == rejected ? nil : $0 }
        if let usable, deadline(of: usable).isFresh(at: clock.uptime()) { return usable.tokens(of: session.tokens) }
        do {
            guard request.grant == .tokenExchange else {
                return try await join(request, superseding: kept?.accessToken, in: epoch)
            }
            return try await exchanged(request, superseding: kept?.accessToken, in: epoch)
        } catch let error as AuthSessionError where !error.endsSession && isCurrent(epoch) {
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
        in epoch: Int
    ) async throws -> TokenSet {
        let presented = try await tokensToSend()
        do {
            return try await join(request, superseding: superseded, in: epoch)
        } catch let error as AuthSessionError where error.mayConcernSubjectToken {
            guard isCurrent(epoch), mayReplace(presented) else { throw error }
            do {
                _ = try await tokensToSend(insteadOf: presented.accessToken)
            } catch let failure as AuthSessionError where !failure.endsSession {
                throw error
            }
            return try await join(request, superseding: superseded, anew: true, in: epoch)
        }
    }

    /// Returns whether a refresh may replace the session's own tokens although they are valid by the clock.
    private func mayReplace(_ tokens: TokenSet) -> Bool {
        guard let current, let issuedAt = tokens.lifetime.issuedAt else { return false }
        // Sent again, a used refresh token may end the session.
        return authority.canRefresh(tokens) && !isPastReplay(current)
            && clock.date().timeIntervalSince(issuedAt) > 300
    }

    private func join(
        _ request: ResourceRequest,
        superseding superseded: AccessToken?,
        anew: Bool = false,
        in epoch: Int
    ) async throws -> TokenSet {
        try await coordinator.waitForOthers(than: request, promptly: false)
        guard isCurrent(epoch) else { throw AuthSessionError(.notSignedIn) }
        let tokens = try await coordinator.join(request, superseding: superseded, anew: anew, for: self).value()
        // Another user's token must not reach the caller.
        guard isCurrent(epoch) else { throw AuthSessionError(.notSignedIn) }
        return tokens
    }

    /// Returns the token for another API if a new one is at hand: another process may have requested it.
    ///
    /// - Throws: ``AuthSessionError`` (`refreshOutcomeUnknown`) if the refresh must not be sent for another API.
    func tokensAtHand(
        in session: CurrentSession,
        for flight: RefreshFlight
    ) throws(AuthSessionError) -> TokenSet? {
        guard let request = flight.request else { return nil }
        if let token = session.record.resourceTokens[request], token.accessToken != flight.superseded,
            deadline(of: token).isFresh(at: clock.uptime())
        {
            return token.tokens(of: session.record.tokens)
        }
        // Presented again, the old token may look like a thief's. Only the session's own refresh risks that, unless its
        // access token has no end.
        let isRisky = request.grant == .refreshToken && isPastReplay(session) && session.deadline.end != nil
        if isRisky { throw AuthSessionError(.refreshOutcomeUnknown) }
        return nil
    }

    /// 8. Publish: takes over another API's access token, after the write.
    func publish(_ token: ResourceToken, of record: SessionRecord) throws(AuthSessionError) -> TokenSet {
        // The user may have signed in anew, in another process: that session has other tokens.
        guard current?.record.isOfSameSignIn(as: record) == true else { throw AuthSessionError(.notSignedIn) }
        apply(.obtained(token))
        return token.tokens(of: record.tokens)
    }

    /// Exchanges the session's access token for another API's, which uses up nothing and needs no journal.
    func exchangedTokens(_ flight: RefreshFlight) async throws -> TokenSet {
        // Another process may have exchanged it.
        _ = try await adoptReadable(in: flight.epoch)
        let current = try session(in: flight.epoch)
        guard let request = flight.request else { throw AuthSessionError(.contractMismatch) }
        if let tokens = try tokensAtHand(in: current, for: flight) { return tokens }
        if coordinator.isLimitReached(for: request) { throw AuthSessionError(.tooManyRefreshes) }
        coordinator.noteSent(for: request)
        let session = current.record
        let outcome = await authority.tokens(
            for: request.target,
            by: request.grant,
            with: session.tokens,
            of: session.user,
            sendGuard: { true }
        )
        flight.note { $0.outcome = .init(outcome) }
        guard isCurrent(flight.epoch), self.current?.record.isOfSameSignIn(as: session) == true else {
            if case .refreshed(let response) = outcome { revokeUnused(response.tokens, of: session.user) }
            throw absence()
        }
        switch outcome {
        case .refreshed(let response):
            let token = ResourceToken(response.tokens, for: request)
            apply(.obtained(token))
            do {
                try await updateStored(in: flight.epoch, where: { $0.isOfSameSignIn(as: session) }) {
                    $0.resourceTokens.keep(token)
                }
            } catch {
                logger.debug("the access token for another API could not be written to the store")
            }
            _ = try self.session(in: flight.epoch)
            return token.tokens(of: session.tokens)
        case .mismatched(let error, let revocation):
            trailingWork.add(revocation, for: self)
            throw error
        case .refused(let error): throw error.coded(.refreshRefused)
        case .rotated(_, let error), .unknown(let error), .doubtful(let error), .failed(let error): throw error
        }
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
