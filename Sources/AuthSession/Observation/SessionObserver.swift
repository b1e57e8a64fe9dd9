// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore
import Synchronization

/// An observer of sessions, for metrics, traces and logs.
///
/// `SessionMetrics` and `SessionTracing` are two. Set it in ``SessionOptions/observers``; several sessions may share it.
public protocol SessionObserver: Sendable {
    /// Receives an event.
    ///
    /// The session's own work calls this and waits for its return, so it returns at once. The task's context is that of
    /// the caller that began the operation.
    func observe(_ event: SessionEvent)
}

/// The observation of one sign-in, from its ticket to its end.
///
/// Only the first end counts. A sign-in that the app gives up ends with this object.
final class SignInObservation: Sendable {
    private let options: SessionOptions
    private let uptime: @Sendable () -> Duration
    private let begunAt: Duration
    private let hasEnded = Mutex(false)

    init(_ options: SessionOptions, _ clock: SessionClock) {
        (self.options, uptime, begunAt) = (options, clock.uptime, clock.uptime())
    }

    deinit { end(.abandoned) }

    func end(_ result: SessionEvent.SignIn) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        if isFirst { options.observe(.signInEnded(result, after: uptime() - begunAt)) }
    }
}

extension SessionOptions {
    /// Tells the observers of an event; without observers, creates none.
    func observe(_ event: @autoclosure () -> SessionEvent) {
        guard !observers.isEmpty else { return }
        let event = event()
        for observer in observers { observer.observe(event) }
    }
}

extension AuthSession {
    /// Tells the observers that a refresh has ended: once, even if it is completed again.
    ///
    /// - Parameter result: The result for the callers; nil for a refresh that was called off.
    func observeEnd(of flight: RefreshFlight, with result: Result<TokenSet, any Error>? = nil) {
        guard var refresh = flight.takeReport() else { return }
        refresh.duration = clock.uptime() - flight.begunAt
        if case .failure(let error) = result { refresh.errorType = SessionEvent.type(of: error) }
        if result != nil, refresh.outcome == .abandoned {
            refresh.outcome = refresh.errorType == nil ? .adopted : .failed
        }
        options.observe(.refreshEnded(refresh))
    }
}
