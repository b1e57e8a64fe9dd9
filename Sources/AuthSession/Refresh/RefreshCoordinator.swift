// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The coordinator of a session's refreshes: callers share the one refresh in progress.
///
/// The first step of a refresh, join, is here; `RefreshSteps.swift` has the others.
///
/// Owns the refresh in progress and the throttle of refreshes. Confined to the session's actor: its methods run in the
/// owner's isolation.
final class RefreshCoordinator {
    private let clock: SessionClock
    private(set) var flight: RefreshFlight?
    private var throttle = RefreshThrottle()

    init(_ clock: SessionClock) {
        self.clock = clock
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
    func waitForOthers(than request: ResourceRequest?, promptly: Bool) async throws {
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
    func join(
        _ request: ResourceRequest? = nil,
        superseding superseded: AccessToken? = nil,
        anew: Bool = false,
        for owner: isolated AuthSession
    ) -> RefreshFlight {
        if let flight {
            // One API's token must never be taken for another's.
            precondition(flight.request == request)
            flight.note { $0.joined += 1 }
            return flight
        }
        let epoch = owner.epoch
        if !anew, let failure = throttle.failure(of: request, at: clock.uptime()) {
            let flight = RefreshFlight(for: request, in: epoch, at: clock.uptime())
            flight.finish(.failure(failure))
            return flight
        }
        let flight = RefreshFlight(for: request, superseding: superseded, in: epoch, at: clock.uptime())
        self.flight = flight
        owner.options.observe(.refreshBegan)
        Task { await owner.lockAndRefresh(flight) }
        return flight
    }

    /// Ends a refresh with its result for all callers.
    func complete(
        _ flight: RefreshFlight,
        with result: Result<TokenSet, any Error>,
        for owner: isolated AuthSession
    ) {
        if owner.isCurrent(flight.epoch) { throttle.note(result, of: flight.request, at: clock.uptime()) }
        if self.flight === flight { self.flight = nil }
        owner.observeEnd(of: flight, with: result)
        flight.finish(result)
    }

    /// Returns whether so many refreshes were sent that the next one must wait.
    func isLimitReached(for request: ResourceRequest?) -> Bool {
        throttle.isLimitReached(for: request, at: clock.uptime())
    }

    /// Counts a refresh.
    func noteSent(for request: ResourceRequest?) {
        throttle.noteSent(for: request, at: clock.uptime())
    }

    /// Begins another epoch: callers that wait for a refresh of the old one get the error.
    func drop(with error: AuthSessionError) {
        forgetFailure()
        flight?.finish(.failure(error))
        flight = nil
    }

    /// Calls off a refresh that has not begun and that no caller waits for.
    func callOff(_ flight: RefreshFlight, _ error: AuthSessionError) {
        if flight.callOff(error), self.flight === flight { self.flight = nil }
    }

    /// Forgets the last refresh's failure.
    func forgetFailure() {
        throttle.forgetFailures()
    }
}
