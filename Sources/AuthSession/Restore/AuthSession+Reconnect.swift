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
    /// - Returns: The state afterwards.
    @discardableResult
    public func reconnect() async -> SessionState {
        reconnection.stopWaiting()
        reconnection.backoff = ReconnectBackoff()
        await attemptReconnect()
        return state
    }

    /// Reconnects whenever the network is available, after each of its changes.
    ///
    /// Use this for another source of network changes than `reconnectOnNetworkChange()`, for example a binding of
    /// NetworkManager. Another network is a reason too: a server that is unreachable over one network may be reachable
    /// over the other. No request is sent if the session is online, before the end of a wait that the server requested,
    /// or within two seconds of the last attempt. Ends with the stream, or if the task is cancelled, after the attempt
    /// in progress.
    ///
    /// The latest value of the stream is enough:
    ///
    ///     let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    ///
    /// - Parameter changes: Whether the network is available, at first and after each change.
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
    fileprivate var awaitsReconnect: Bool { if case .signedIn(_, .offline) = self { true } else { isLocked } }
}
