#if os(Linux)
import Dispatch
public import SecureStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension PrivateUseScheme {
    /// The time in which a process must accept or decline an address.
    private static let replyTimeout = Duration.seconds(3)
    /// The maximum number of processes that are asked.
    private static let maximumProcesses = 16

    /// Delivers an address to the processes of the app that listen, one after another until one accepts it.
    ///
    /// For the process that the system has started with the address. The address is kept nowhere.
    /// If no process accepts it, complete the sign-in in this one: `AuthSession.completeSignIn(redirectedTo:)` uses the
    /// pending sign-in that the store keeps. Ends within 3 seconds for each process that doesn't respond. Cancellation
    /// has no effect.
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
                let names = Self.sockets(in: folder).prefix(Self.maximumProcesses)
                continuation.resume(returning: names.contains { Self.offer(address, to: $0, in: folder) })
            }
        }
    }

    /// Returns the names of the sockets in a folder.
    private static func sockets(in folder: String) -> [String] {
        guard let entries = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            // Safe: the name ends with a NUL within the entry, and the entry is valid until the next `readdir`.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(RedirectListener.nameEnding) { names.append(name) }
        }
        return names
    }

    /// Offers an address to one process, and returns whether the process accepted it.
    private static func offer(_ address: String, to name: String, in folder: String) -> Bool {
        let connection: LocalSocket
        do throws(LocalSocket.SocketError) {
            connection = try LocalSocket(connectedTo: name, in: folder)
        } catch {
            // Its process was killed.
            if error.code == ECONNREFUSED { unsafe unlink("\(folder)/\(name)") }
            return false
        }
        let deadline = ContinuousClock.now + replyTimeout
        guard connection.isOwnPeer, connection.send(Array(address.utf8) + [UInt8(ascii: "\n")]) else { return false }
        return connection.receive(endingWith: ReceivedRedirect.acceptance, atMost: 0, until: deadline) != nil
    }
}
#endif
