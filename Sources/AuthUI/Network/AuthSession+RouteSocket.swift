// SPDX-License-Identifier: Apache-2.0

// The Network module is better if available: it reports a usable path, not only changes of this machine.
#if os(Linux) && !canImport(Network)
public import AuthSession
import Dispatch
import Logging

extension AuthSession {
    /// Reconnects at once whenever the network returns or changes, until the task is cancelled.
    ///
    /// Adds to the session's own attempts, whose pauses grow to minutes. Run it in a task that lives as long as the
    /// app's screens:
    ///
    ///     let following = Task { await session.reconnectOnNetworkChange() }
    ///     defer { following.cancel() }
    ///
    /// The first attempt is immediate. Afterwards the kernel reports each change of this machine's links, addresses and
    /// routes, without polling and without a permission. The kernel doesn't know whether a server is reachable over
    /// them, so each change causes an attempt, which does nothing if the session is online.
    ///
    /// Cancellation takes effect after the attempt in progress. Returns at once, with a log message at level `debug`,
    /// if the process may not open the socket, for example in a sandbox without netlink sockets. The session's own
    /// attempts continue. Use `reconnect(on:)` there with another source of changes.
    ///
    /// `NETLINK_ROUTE`: [netlink(7)](https://man7.org/linux/man-pages/man7/netlink.7.html),
    /// [rtnetlink(7)](https://man7.org/linux/man-pages/man7/rtnetlink.7.html).
    public func reconnectOnNetworkChange() async {
        let socket: RouteSocket
        do throws(RouteSocket.SocketError) {
            socket = try RouteSocket()
        } catch {
            logger.debug("changes of the network can't be observed (\(error.call): \(error.code))")
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
        // Called once, when the dispatch source no longer uses the descriptor.
        source.setCancelHandler { @Sendable in socket.end() }
        source.activate()
        defer { source.cancel() }
        // Covers a change from before the socket was open.
        changed.yield(true)
        await reconnect(on: changes)
    }
}
#endif
