// SPDX-License-Identifier: Apache-2.0

/// The attempts of a session that is offline or locked to reconnect.
struct Reconnection {
    /// The wait for the next attempt; nil if there is no wait.
    fileprivate var waiting: Task<Void, Never>?
    fileprivate var isAttempting = false
    /// Whether an immediate attempt was requested, perhaps while another was in progress.
    fileprivate var isRequested = false
    var backoff = ReconnectBackoff()

    fileprivate mutating func stopWaiting() {
        waiting?.cancel()
        waiting = nil
    }
}

extension AuthSession {
    /// The time between two attempts to reconnect on network changes, which often come in dozens.
    static let minimumReconnectInterval = Duration.seconds(2)

    /// Reconnects at once, because the network is back or the user asks.
    ///
    /// Asks the server if the session is offline, reads the store if it is locked, and does nothing otherwise.
    ///
    /// - Returns: The state afterwards; the present one if another attempt is in progress, which then tries again.
    @discardableResult
    public func reconnect() async -> SessionState {
        reconnection.stopWaiting()
        reconnection.backoff = ReconnectBackoff()
        await attemptReconnect()
        return state
    }

    /// Reconnects whenever the network is available, after each of its changes.
    ///
    /// For another source of network changes than `reconnectOnNetworkChange()`, for example `GNetworkMonitor`. Another
    /// network is a reason too: it may reach the server. No request is sent if the session is online, before the end of a
    /// wait that the server requested, or within two seconds of this call's last attempt. Ends with the stream, or if
    /// the task is cancelled, after the attempt in progress.
    ///
    /// - Parameter changes: Whether the network is available, at first and after each change. The latest value is enough:
    ///   `AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))`.
    public func reconnect(on changes: AsyncStream<Bool>) async {
        let (news, inbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Changes during an attempt, or too soon after it, cause one more attempt.
        async let reading: Void = Self.read(changes, into: inbox)
        var next = clock.uptime()
        for await _ in news {
            let wait = next - clock.uptime()
            if wait > .zero { do { try await clock.sleep(wait) } catch { break } }
            guard case .signedIn(_, .offline) = state, !isRetryAfterInForce else { continue }
            // The pauses are short from here on: a server is not always back at once.
            reconnection.backoff.resetFailures()
            reconnection.stopWaiting()
            await attemptReconnect()
            next = clock.uptime() + Self.minimumReconnectInterval
        }
        await reading
    }

    private static func read(_ changes: AsyncStream<Bool>, into news: AsyncStream<Void>.Continuation) async {
        for await isReachable in changes where isReachable { news.yield() }
        news.finish()
    }

    /// Whether the server has requested a wait that is not over.
    var isRetryAfterInForce: Bool { reconnection.backoff.remainingRetryAfter(at: clock.uptime()) > .zero }

    /// Schedules the next attempt to reconnect if one is due, and cancels it if not.
    func reconnectIfDue() {
        // The attempt in progress decides at its end.
        guard options.reconnectsAutomatically, !reconnection.isAttempting else { return }
        guard state.awaitsReconnect else {
            reconnection.stopWaiting()
            reconnection.backoff = ReconnectBackoff()
            return
        }
        guard reconnection.waiting == nil else { return }
        let pause = reconnection.backoff.next(ofStore: state.isLocked, fraction: randomFraction(), at: clock.uptime())
        // The session is retained during an attempt but not during the wait, so that the app can release it.
        reconnection.waiting = Task { [weak self, clock] in
            do { try await clock.sleep(pause) } catch { return }
            await self?.attemptIfDue()
        }
    }

    /// Restarts the wait, because its length has changed.
    func rescheduleReconnect() {
        reconnection.stopWaiting()
        reconnectIfDue()
    }

    private func attemptIfDue() async {
        // The wait ended just as it was cancelled: another one is scheduled by now.
        guard !Task.isCancelled else { return }
        // Not cancelled: its task is this one, and may be in the middle of a refresh.
        reconnection.waiting = nil
        await attemptReconnect()
    }

    private func attemptReconnect() async {
        reconnection.isRequested = true
        guard !reconnection.isAttempting else { return }
        reconnection.isAttempting = true
        // Another caller may have asked meanwhile: the attempt in progress may have begun before the network was back.
        while reconnection.isRequested {
            reconnection.isRequested = false
            switch state {
            case .signedIn(_, .offline): await validate()
            case .locked: await restore()
            default: break
            }
        }
        reconnection.isAttempting = false
        if state.awaitsReconnect { reconnection.backoff.fail() }
        reconnectIfDue()
    }
}

extension SessionState {
    var isLocked: Bool { if case .locked = self { true } else { false } }

    /// Whether the session reconnects in this state: the server is unreachable, or the store is locked.
    var awaitsReconnect: Bool { if case .signedIn(_, .offline) = self { true } else { isLocked } }
}

/// The pause before a session tries again to reach its server or its store.
///
/// It doubles each time. Without jitter, all apps that lost a server at the same moment would return at the same
/// moment.
struct ReconnectBackoff: Sendable {
    /// The longest wait that a server may request.
    private static let longestRetryAfter = Duration.seconds(300)
    /// The full length of the pause for a server before any failure.
    private static let first = Duration.seconds(2)
    /// The longest pause for a server, which may be away for hours.
    private static let longest = Duration.seconds(300)
    /// The longest pause for a store.
    ///
    /// A read shows no prompt, and the user who has just typed the password is waiting.
    private static let longestOfStore = Duration.seconds(15)

    /// The number of failed attempts since the last success or reset.
    private var failures = 0
    private var askedUntil: Duration?

    /// Returns the next pause, for a server or for a store that can't be read.
    ///
    /// The pause is between half of its full length and all of it, by a fraction from 0 to 1. If the server requested
    /// a longer wait, it is that wait, or up to a quarter more.
    func next(ofStore isStore: Bool = false, fraction: Double, at uptime: Duration) -> Duration {
        let doubled = (isStore ? Duration.seconds(1) : Self.first) * (1 << min(failures, 10))
        let fraction = min(max(fraction, 0), 1)
        let drawn = min(doubled, isStore ? Self.longestOfStore : Self.longest) * (0.5 + 0.5 * fraction)
        // The pause never ends before the server allows, and clients that got the same wait don't return at the same
        // moment.
        return isStore ? drawn : max(drawn, remainingRetryAfter(at: uptime) * (1 + 0.25 * fraction))
    }

    /// Notes the wait that a response requests, at most five minutes; nil leaves an earlier request in force.
    mutating func noteRetryAfter(_ asked: Duration?, at uptime: Duration) {
        if let asked { askedUntil = uptime + min(asked, Self.longestRetryAfter) }
    }

    /// Returns the rest of the wait that the server requested; zero if there is no wait.
    func remainingRetryAfter(at uptime: Duration) -> Duration { max((askedUntil ?? uptime) - uptime, .zero) }

    /// Starts with short pauses again after a change; the wait that the server requested stays.
    mutating func resetFailures() { failures = 0 }

    mutating func fail() { failures += 1 }
}
