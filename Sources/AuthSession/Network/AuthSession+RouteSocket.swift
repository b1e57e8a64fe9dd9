// Where there is a module Network, its word is better: a path to somewhere, and not the changes of this machine.
#if os(Linux) && !canImport(Network)
import Dispatch
import Logging

extension AuthSession {
    /// Looks again at once whenever the network comes back or changes, until the task is cancelled.
    ///
    /// Beside the session's own looks, whose pauses grow to minutes. For a task that lives as long as the app's screens:
    ///
    ///     let following = Task { await session.lookAgainAsNetworkReturns() }
    ///     defer { following.cancel() }
    ///
    /// The first look is at once. Then the kernel tells of each change of this machine's links, addresses and routes;
    /// nothing is polled and no permission needed. What it can't tell is whether anything is reached over them, so each
    /// change is a reason to look, and costs nothing where the session is online.
    ///
    /// Ends when the task is cancelled: then after the look that is under way. Ends at once, which the log tells at level
    /// `debug`, where the process may not listen, in a sandbox without netlink sockets say; the session's own looks go on.
    /// Who has another source there uses ``lookAgain(after:)``.
    ///
    /// `NETLINK_ROUTE`: [netlink(7)](https://man7.org/linux/man-pages/man7/netlink.7.html),
    /// [rtnetlink(7)](https://man7.org/linux/man-pages/man7/rtnetlink.7.html).
    public func lookAgainAsNetworkReturns() async {
        let socket: RouteSocket
        do throws(RouteSocket.Fault) {
            socket = try RouteSocket()
        } catch {
            logger.debug("changes of the network can't be heard (\(error.call): \(error.code))")
            return
        }
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let queue = DispatchQueue(label: "sallyport.network")
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.number, queue: queue)
        source.setEventHandler { @Sendable in
            switch socket.drain() {
            case .nothing: break
            case .change: changed.yield(true)
            case .failure: changed.finish()
            }
        }
        // Called once, when nothing waits for the descriptor any more.
        source.setCancelHandler { @Sendable in socket.end() }
        source.activate()
        defer { source.cancel() }
        // What came back before anybody listened.
        changed.yield(true)
        await lookAgain(after: changes)
    }
}
#endif
