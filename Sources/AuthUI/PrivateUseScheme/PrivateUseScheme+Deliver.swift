// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Dispatch
public import SecureStore

extension PrivateUseScheme {
    /// The time in which a process must accept or decline an address.
    ///
    /// It reads its store first.
    private static let replyTimeout = Duration.seconds(10)
    /// The time in which all of them must, which is shorter than a provider's code lives.
    private static let deliveryTimeout = Duration.seconds(20)
    /// The maximum number of processes that are asked.
    private static let maximumProcesses = 16

    /// Delivers an address to the processes of the app that listen, one after another until one accepts it.
    ///
    /// For the process that the system has started with the address. The address is kept nowhere.
    /// If no process accepts it, complete the sign-in in this one: `AuthSession.completeSignIn(redirectedTo:)` uses the
    /// pending sign-in that the store keeps. Waits for 10 seconds for a process that doesn't respond, and for 20 in
    /// all. Cancellation has no effect.
    ///
    /// - Parameter address: The address that the system has passed. Untrusted.
    /// - Returns: Whether a process has accepted it and completes the sign-in. False also if the address doesn't match
    ///   the scheme, which no process is asked about then.
    /// - Throws: `SecureStoreError` (`denied` if the folder of the sockets is another user's or open to others; `full`;
    ///   `failed`).
    public func deliver(_ address: String) async throws(SecureStoreError) -> Bool {
        try await deliver(address, in: RedirectListener.folder(of: self))
    }

    /// Delivers an address to the sockets in a folder.
    func deliver(_ address: String, in folder: String) async -> Bool {
        guard matches(address) else { return false }
        return await withCheckedContinuation { continuation in
            // The calls block, and the threads of tasks must not.
            DispatchQueue(label: "sallyport.deliver").async {
                continuation.resume(returning: Self.offer(address, to: SocketFolder(path: folder)))
            }
        }
    }

    /// Offers an address to the processes, and returns whether one accepted it.
    private static func offer(_ address: String, to folder: SocketFolder) -> Bool {
        let end = ContinuousClock.now + deliveryTimeout
        var asked = 0
        for name in folder.names() where asked < maximumProcesses {
            // Only processes that run are counted, and those that were killed leave sockets.
            guard let connection = folder.connection(to: name) else { continue }
            if offer(address, on: connection, until: min(end, .now + replyTimeout)) { return true }
            asked += 1
        }
        return false
    }

    /// Offers an address to one process, and returns whether the process accepted it.
    private static func offer(
        _ address: String,
        on connection: LocalSocket,
        until deadline: ContinuousClock.Instant
    ) -> Bool {
        guard connection.isOwnPeer, connection.send(Array(address.utf8) + [UInt8(ascii: "\n")]) else { return false }
        return connection.receive(endingWith: ReceivedRedirect.acceptance, atMost: 0, until: deadline) != nil
    }
}
#endif
