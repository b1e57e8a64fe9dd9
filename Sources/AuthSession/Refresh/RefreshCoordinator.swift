// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore

/// The one refresh in progress, which all callers share, and the throttle of refreshes.
struct RefreshCoordinator {
    fileprivate(set) var flight: RefreshFlight?
    var throttle = RefreshThrottle()

    /// Begins another epoch: callers that wait for a refresh of the old one get the error.
    mutating func drop(with error: AuthSessionError) {
        throttle.forgetFailures()
        flight?.finish(.failure(error))
        flight = nil
    }

    /// Calls off a refresh that has not begun and that no caller waits for.
    mutating func callOff(_ flight: RefreshFlight, _ error: AuthSessionError) {
        if flight.callOff(error), self.flight === flight { self.flight = nil }
    }
}

/// The first step of a refresh, join, and the callers' side of it; `RefreshSteps.swift` has the others.
extension AuthSession {
    /// Returns tokens other than the rejected one: the current ones if another request got them first, else new ones.
    ///
    /// The access token decides: a caller that rejects another token than the current one gets the current one.
    ///
    /// - Parameter promptly: Whether to wait for another process's lock for at most a second.
    func tokens(insteadOf rejected: AccessToken, promptly: Bool = false) async throws -> TokenSet {
        _ = try await requireCurrent()
        try await waitForOthers(than: nil, promptly: promptly)
        // No `await` from here to the refresh: another API's must not come in between.
        guard let tokens = current?.record.tokens else { throw absence() }
        guard !core.isOfEarlierSession(rejected) else { throw AuthSessionError(.notSignedIn) }
        guard tokens.accessToken == rejected else { return tokens }
        return try await join().value(promptly: promptly)
    }

    /// Refreshes even if the last attempt has just failed; `promptly` as for ``tokens(insteadOf:promptly:)``.
    func refreshAnew(promptly: Bool = false) async throws {
        try await waitForOthers(than: nil, promptly: promptly)
        _ = try await join(anew: true).value(promptly: promptly)
    }

    /// Begins a refresh that no caller waits for, unless one is in progress.
    func refreshInBackground() { if coordinator.flight == nil { _ = join() } }

    /// Waits for the refreshes that get another access token.
    func waitForOthers(than request: ResourceRequest?, promptly: Bool = false) async throws {
        while let other = coordinator.flight, other.request != request {
            do {
                _ = try await other.value(promptly: promptly)
            } catch {
                try Task.checkCancellation()
                // The other refresh still waits for another process's lock.
                if coordinator.flight === other { throw error }
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
    func join(
        _ request: ResourceRequest? = nil,
        superseding superseded: AccessToken? = nil,
        anew: Bool = false
    ) -> RefreshFlight {
        if let flight = coordinator.flight {
            // One API's token must never be taken for another's.
            precondition(flight.request == request)
            flight.note { $0.joined += 1 }
            return flight
        }
        let now = clock.uptime()
        let flight = RefreshFlight(for: request, superseding: superseded, in: epoch, at: now)
        if !anew, let failure = coordinator.throttle.failure(of: request, at: now) {
            flight.finish(.failure(failure))
            return flight
        }
        coordinator.flight = flight
        options.observe(.refreshBegan)
        Task { await lockAndRefresh(flight) }
        return flight
    }

    func complete(_ flight: RefreshFlight, with result: Result<TokenSet, any Error>) {
        if isCurrent(flight.epoch) { coordinator.throttle.note(result, of: flight.request, at: clock.uptime()) }
        if coordinator.flight === flight { coordinator.flight = nil }
        observeEnd(of: flight, with: result)
        flight.finish(result)
    }
}
