extension AuthSession {
    /// How far apart looks are that news of the network bring about: it often comes in dozens.
    static let newsSpacing = Duration.seconds(2)

    /// Looks again whenever the network is there, after each of its changes.
    ///
    /// For who has another source of such news than ``lookAgainAsNetworkReturns()``, a binding of NetworkManager say.
    /// Another network is a reason too: what could not be reached over the one may be reached over the other. Where the
    /// session is online nobody is asked, nor before a server wants it that said when to come again; and at most every two
    /// seconds.
    ///
    ///     let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    ///
    /// - Parameter changes: Whether the network is there, at first and after each change. The latest one is enough.
    ///
    /// Ends with the stream, or when the task is cancelled: then after the look that is under way.
    public func lookAgain(after changes: AsyncStream<Bool>) async {
        let (news, inbox) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // What comes during a look, or too soon after it, is one reason for the next one.
        async let reading: Void = Self.read(changes, into: inbox)
        var next = clock.uptime()
        for await _ in news {
            let wait = next - clock.uptime()
            if wait > .zero {
                do { try await clock.sleep(wait) } catch { break }
            }
            guard isServerWorthALook else { continue }
            // With short pauses from here on: what is back is not always back at once.
            lookPause.beginAnew()
            stopWaiting()
            await look()
            next = clock.uptime() + Self.newsSpacing
        }
        await reading
    }

    private var isServerWorthALook: Bool {
        guard case .signedIn(_, .offline) = state else { return false }
        return lookPause.rest(at: clock.uptime()) == .zero
    }

    private static func read(_ changes: AsyncStream<Bool>, into news: AsyncStream<Void>.Continuation) async {
        for await isReachable in changes where isReachable { news.yield() }
        news.finish()
    }
}
