#if canImport(Network)
import Dispatch
import Network

extension AuthSession {
    /// Looks again at once whenever the network comes back or changes, until the task is cancelled.
    ///
    /// Beside the session's own looks, whose pauses grow to minutes. For a task that lives as long as the app's screens:
    ///
    ///     ContentView().task { await session.lookAgainAsNetworkReturns() }
    ///
    /// The first look is at once, where the network is there. Ends when the task is cancelled: then after the look that is
    /// under way.
    public func lookAgainAsNetworkReturns() async {
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { @Sendable path in changed.yield(path.status == .satisfied) }
        monitor.start(queue: DispatchQueue(label: "sallyport.network"))
        defer { monitor.cancel() }
        await lookAgain(after: changes)
    }
}
#endif
