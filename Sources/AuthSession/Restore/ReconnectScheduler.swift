// SPDX-License-Identifier: Apache-2.0

/// The scheduler of reconnection attempts for a session that is offline or locked.
///
/// Owns the wait for the next attempt, the pauses between attempts, and whether one is in progress. It does not make
/// the attempts. Confined to the session's actor.
final class ReconnectScheduler {
    private let isOn: Bool
    private let clock: SessionClock
    private let randomFraction: @Sendable () -> Double
    /// The wait for the next attempt; nil if there is no wait.
    private var waiting: Task<Void, Never>?
    private var isAttempting = false
    /// Whether an immediate attempt was requested while another was in progress.
    private var isRequested = false
    private var backoff = ReconnectBackoff()

    /// Creates a scheduler; `randomFraction` is the part of the jitter that a pause uses, from 0 to 1.
    init(isOn: Bool, clock: SessionClock, randomFraction: @escaping @Sendable () -> Double) {
        (self.isOn, self.clock, self.randomFraction) = (isOn, clock, randomFraction)
    }

    /// Begins to wait for the next attempt if one is due, and stops waiting if not.
    func stateChanged(to state: SessionState, _ attemptReconnect: @escaping @Sendable () async -> Void) {
        // The attempt in progress decides at its end.
        guard isOn, !isAttempting else { return }
        guard state.awaitsReconnect else {
            stopWaiting()
            backoff = ReconnectBackoff()
            return
        }
        guard waiting == nil else { return }
        let pause = backoff.next(ofStore: state.isLocked, fraction: randomFraction(), at: clock.uptime())
        waiting = Task { [clock] in
            do { try await clock.sleep(pause) } catch { return }
            await attemptReconnect()
        }
    }

    /// Resets the pauses so that attempts begin at once, even before the server's requested wait is over.
    func resetBackoff() {
        backoff = ReconnectBackoff()
        stopWaiting()
    }

    /// Resets the pauses so that attempts begin at once.
    ///
    /// The server's requested wait stays.
    func resetFailures() {
        backoff.resetFailures()
        stopWaiting()
    }

    /// Cancels the next attempt, if one is scheduled.
    func stopWaiting() {
        waiting?.cancel()
        waiting = nil
    }

    /// Ends the wait without cancelling its task, which may be in the middle of a refresh.
    func endWaiting() {
        waiting = nil
    }

    /// Notes the wait that the server has just requested.
    func noteRetryAfter(_ asked: Duration?) { backoff.noteRetryAfter(asked, at: clock.uptime()) }

    /// The rest of the wait that the server requested; zero if there is no wait.
    var remainingRetryAfter: Duration { backoff.remainingRetryAfter(at: clock.uptime()) }

    /// Returns whether the caller is to make the attempt; otherwise the one in progress makes another one.
    func requestAttempt() -> Bool {
        isRequested = true
        guard !isAttempting else { return false }
        isAttempting = true
        return true
    }

    /// Returns whether an attempt was requested since the last one began.
    func takeRequest() -> Bool {
        defer { isRequested = false }
        return isRequested
    }

    /// Ends the attempts, in the given state.
    func endAttempts(in state: SessionState) {
        isAttempting = false
        if state.awaitsReconnect { backoff.fail() }
    }
}

extension SessionState {
    var isLocked: Bool {
        if case .locked = self { true } else { false }
    }

    /// Whether the session reconnects in this state: the server is unreachable, or the store is locked.
    var awaitsReconnect: Bool {
        if case .signedIn(_, .offline) = self { true } else { isLocked }
    }
}
