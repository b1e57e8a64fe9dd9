// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Logging
import SecureStore
import Synchronization

/// The one refresh in progress, which all callers share, and the throttle of refreshes.
struct RefreshCoordinator {
    fileprivate(set) var flight: RefreshFlight?
    fileprivate var throttle = RefreshThrottle()

    /// Begins another epoch: callers that wait for a refresh of the old one get the error.
    mutating func drop(with error: AuthSessionError) {
        throttle.forgetFailures()
        flight?.finish(.failure(error))
        flight = nil
    }

    /// Forgets the last failures, so that the next caller may try again at once.
    mutating func forgetFailures() { throttle.forgetFailures() }

    /// Returns whether so many refreshes were sent that the next one must wait.
    func isLimitReached(for request: ResourceRequest?, at uptime: Duration) -> Bool {
        throttle.isLimitReached(for: request, at: uptime)
    }

    /// Counts a refresh.
    mutating func noteSent(for request: ResourceRequest?, at uptime: Duration) {
        throttle.noteSent(for: request, at: uptime)
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
        let flight = join()
        let new = try await flight.value(promptly: promptly)
        guard flight.idTokens != nil, new.accessToken == rejected else { return new }
        // The refresh was for an ID token, and may have taken over one that came with the same access token.
        return try await self.tokens(insteadOf: rejected, promptly: promptly)
    }

    /// Refreshes for an ID token other than the known ones, or takes over another process's refresh that has brought one.
    ///
    /// Some providers issue it with the same access token, which is then no sign that a refresh is still due.
    package func refreshIDToken() async throws {
        let known = try await requireCurrent().record.idTokens
        try await waitForOthers(than: nil)
        guard current?.record.idTokens == known else { return }
        _ = try await join(insteadOf: known).value()
    }

    /// Refreshes even if the last attempt has just failed; `promptly` as for ``tokens(insteadOf:promptly:)``.
    func refreshAnew(promptly: Bool = false) async throws {
        try await waitForOthers(than: nil, promptly: promptly)
        _ = try await join(anew: true).value(promptly: promptly)
    }

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
    ///   - idTokens: The ID tokens that a new one replaces; nil if an access token is wanted.
    ///   - anew: Whether to try although the last attempt has just failed.
    func join(
        _ request: ResourceRequest? = nil,
        superseding superseded: AccessToken? = nil,
        insteadOf idTokens: [IDToken?]? = nil,
        anew: Bool = false
    ) -> RefreshFlight {
        if let flight = coordinator.flight {
            // One API's token must never be taken for another's.
            precondition(flight.request == request)
            flight.note { $0.joined += 1 }
            return flight
        }
        let now = clock.uptime()
        let flight = RefreshFlight(for: request, superseding: superseded, insteadOf: idTokens, in: epoch, at: now)
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

/// A requested refresh, which waits for the inter-process lock and then runs.
///
/// While it only waits, it has sent nothing, and can be given up without loss.
final class RefreshFlight: Sendable {
    private enum Phase {
        case waiting
        case underWay
        case calledOff
    }

    /// The request for another API's access token; nil for the session's own.
    let request: ResourceRequest?
    /// The token that the new one replaces; nil for none, and for the session's own.
    let superseded: AccessToken?
    /// The ID tokens that a new one replaces; nil if an access token is wanted.
    let idTokens: [IDToken?]?
    /// The epoch of the session in which the refresh was requested.
    let epoch: Int
    /// The time of the first request for it.
    let begunAt: Duration
    /// The report for the observers, which is taken once.
    private let report: Mutex<(refresh: SessionEvent.Refresh, isTaken: Bool)>
    private let phase = Mutex(Phase.waiting)
    private let result = Promise<TokenSet>()
    private let promptResult = Promise<TokenSet>()

    init(
        for request: ResourceRequest?,
        superseding superseded: AccessToken?,
        insteadOf idTokens: [IDToken?]?,
        in epoch: Int,
        at uptime: Duration
    ) {
        (self.request, self.superseded, self.idTokens) = (request, superseded, idTokens)
        (self.epoch, begunAt) = (epoch, uptime)
        report = Mutex((refresh: .init(isForOtherAPI: request != nil), isTaken: false))
    }

    /// Returns the result, even if another process holds the lock for long.
    ///
    /// - Parameter promptly: Whether the caller can do without the result, and gets `busy` after ``holdUp(_:)``.
    /// - Throws: The error of the refresh; `CancellationError` if the caller's task is cancelled first.
    func value(promptly: Bool = false) async throws -> TokenSet {
        try await (promptly ? promptResult : result).value()
    }

    /// Delivers the result to all present and future callers; only the first result counts.
    func finish(_ outcome: Result<TokenSet, any Error>) {
        result.finish(outcome)
        promptResult.finish(outcome)
    }

    /// Releases the callers that can do without the result, because another process still holds the lock.
    func holdUp(_ error: AuthSessionError) { promptResult.finish(.failure(error)) }

    /// Notes something for the report.
    func note(_ change: (inout SessionEvent.Refresh) -> Void) { report.withLock { change(&$0.refresh) } }

    /// Returns the report the first time, and nil after that.
    func takeReport() -> SessionEvent.Refresh? {
        report.withLock { report in
            defer { report.isTaken = true }
            return report.isTaken ? nil : report.refresh
        }
    }

    /// Whether the refresh has not begun and no caller waits for it.
    var isIdle: Bool { phase.withLock { $0 != .underWay } && !result.isAwaited }

    /// Notes that the lock is held and the refresh begins; returns false if it was called off.
    func begin() -> Bool {
        phase.withLock { phase in
            guard phase != .calledOff else { return false }
            phase = .underWay
            return true
        }
    }

    /// Calls the refresh off, unless it has begun or a caller waits for it; returns whether it never begins.
    func callOff(_ error: AuthSessionError) -> Bool {
        let isCalledOff = phase.withLock { phase in
            if phase == .waiting, !result.isAwaited { phase = .calledOff }
            return phase == .calledOff
        }
        if isCalledOff { finish(.failure(error)) }
        return isCalledOff
    }
}

/// The rate limit and the backoff of a session's refreshes, by the monotonic clock.
///
/// A failure is remembered for a short while: fifty callers in a row, or an app that asks in a loop, then cause one
/// attempt and not fifty. The refreshes are counted: a server whose new tokens are refused or expired on arrival would
/// otherwise be asked endlessly. Each access token has its own count and failure, so that another API does not block the
/// session's own token.
struct RefreshThrottle: Sendable {
    /// The time in which refreshes are counted.
    private static let window = Duration.seconds(60)
    /// The number of APIs that are remembered.
    private static let mostAPIs = 32

    private struct Attempts {
        var failure: (error: AuthSessionError, until: Duration)?
        var failures = 0
        var sent: [Duration] = []

        /// Returns whether neither a failure nor a refresh counts any more.
        func isOver(at uptime: Duration) -> Bool {
            !sent.contains { uptime - $0 < RefreshThrottle.window } && failure.map { uptime >= $0.until } ?? true
        }
    }

    /// The attempts for each access token; nil is the session's own.
    private var attempts: [ResourceRequest?: Attempts] = [:]

    /// Returns the failure that is still in effect; nil if another attempt may be made.
    func failure(of request: ResourceRequest?, at uptime: Duration) -> AuthSessionError? {
        guard let last = attempts[request]?.failure, uptime < last.until else { return nil }
        return last.error
    }

    /// Returns whether so many refreshes were sent that the next one must wait.
    func isLimitReached(for request: ResourceRequest?, at uptime: Duration) -> Bool {
        let sent = attempts[request]?.sent ?? []
        return sent.count { uptime - $0 < Self.window } >= (request == nil ? 60 : 10)
    }

    /// Counts a refresh.
    mutating func noteSent(for request: ResourceRequest?, at uptime: Duration) {
        change(request, at: uptime) { attempts in
            attempts.sent.removeAll { uptime - $0 >= Self.window }
            attempts.sent.append(uptime)
        }
    }

    /// Remembers a failure, and forgets it after a success.
    ///
    /// The pause doubles with every failure, up to half a minute. A longer wait that the server requests is respected,
    /// up to five minutes.
    mutating func note(_ result: Result<TokenSet, any Error>, of request: ResourceRequest?, at uptime: Duration) {
        switch result {
        case .success: forgetFailure(of: request)
        // No refresh was sent. If remembered, this error would still be reported after the session has ended.
        case .failure(let error as AuthSessionError) where error.code == .noRefreshToken: break
        case .failure(let error as AuthSessionError) where !error.endsSession:
            change(request, at: uptime) { attempts in
                let doubled = Duration.seconds(1 << min(attempts.failures, 5))
                let asked = min(error.retryAfter ?? .zero, .seconds(300))
                attempts.failures += 1
                attempts.failure = (error, uptime + max(min(doubled, .seconds(30)), asked))
            }
        case .failure: break
        }
    }

    /// Forgets all failures; the refreshes that were sent still count.
    mutating func forgetFailures() { for request in attempts.keys { forgetFailure(of: request) } }

    private mutating func forgetFailure(of request: ResourceRequest?) {
        attempts[request]?.failure = nil
        attempts[request]?.failures = 0
    }

    /// Changes the attempts for one token, and forgets those of other APIs that have no effect any more if there are too
    /// many; if all have, it forgets all.
    private mutating func change(_ request: ResourceRequest?, at uptime: Duration, _ change: (inout Attempts) -> Void) {
        for forgetsAll in [false, true] where attempts.count > Self.mostAPIs {
            attempts = attempts.filter { key, value in
                key == nil || key == request || !forgetsAll && !value.isOver(at: uptime)
            }
        }
        change(&attempts[request, default: Attempts()])
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
