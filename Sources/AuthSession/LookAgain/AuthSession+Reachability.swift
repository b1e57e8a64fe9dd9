extension AuthSession {
    /// Looks again whenever the network is there, after each of its changes.
    ///
    /// Another network is a reason too: what could not be reached over the one may be reached over the other.
    ///
    /// - Parameter changes: Whether the network is there, at first and after each change. Ends with it.
    func lookAgain(after changes: AsyncStream<Bool>) async {
        for await isReachable in changes where isReachable {
            await lookAgain()
        }
    }
}
