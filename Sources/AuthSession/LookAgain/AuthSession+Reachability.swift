extension AuthSession {
    /// Looks again whenever the network is there, after each of its changes.
    ///
    /// For who has another source of such news than ``lookAgainAsNetworkReturns()``, a binding of NetworkManager say.
    /// Another network is a reason too: what could not be reached over the one may be reached over the other. Where the
    /// session is online, nobody is asked.
    ///
    ///     let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
    ///
    /// - Parameter changes: Whether the network is there, at first and after each change. The latest one is enough.
    ///
    /// Ends with the stream, or when the task is cancelled: then after the look that is under way.
    public func lookAgain(after changes: AsyncStream<Bool>) async {
        for await isReachable in changes where isReachable {
            await lookAgain()
        }
    }
}
