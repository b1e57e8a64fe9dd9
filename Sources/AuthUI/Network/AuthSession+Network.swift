// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
public import AuthSession
import Dispatch
import Network

extension AuthSession {
    /// Reconnects at once whenever the network returns or changes, until the task is cancelled.
    ///
    /// Adds to the session's own attempts, whose pauses grow to minutes. Run it in a task that lives as long as the
    /// app's screens:
    ///
    ///     ContentView().task { await session.reconnectOnNetworkChange() }
    ///
    /// The first attempt is immediate if the network is available. Cancellation takes effect after the attempt in
    /// progress.
    public func reconnectOnNetworkChange() async {
        let (changes, changed) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingNewest(1))
        let monitor = NWPathMonitor()
        monitor.pathUpdateHandler = { @Sendable path in changed.yield(path.status == .satisfied) }
        monitor.start(queue: DispatchQueue(label: "sallyport.network"))
        defer { monitor.cancel() }
        await reconnect(on: changes)
    }
}
#endif
