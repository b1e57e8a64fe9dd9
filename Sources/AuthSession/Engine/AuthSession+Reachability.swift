// SPDX-License-Identifier: Apache-2.0

extension AuthSession {
    /// The time between two attempts to reconnect on network changes, which often come in dozens.
    static let minimumReconnectInterval = Duration.seconds(2)

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
            if wait > .zero {
                do { try await clock.sleep(wait) } catch { break }
            }
            guard isServerWorthAnAttempt else { continue }
            // The pauses are short from here on: a server is not always back at once.
            reconnectScheduler.resetFailures()
            await attemptReconnect()
            next = clock.uptime() + Self.minimumReconnectInterval
        }
        await reading
    }

    private var isServerWorthAnAttempt: Bool {
        guard case .signedIn(_, .offline) = state else { return false }
        return reconnectScheduler.remainingRetryAfter == .zero
    }

    private static func read(_ changes: AsyncStream<Bool>, into news: AsyncStream<Void>.Continuation) async {
        for await isReachable in changes where isReachable { news.yield() }
        news.finish()
    }
}
