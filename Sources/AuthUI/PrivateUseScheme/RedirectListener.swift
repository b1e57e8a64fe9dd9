// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthCore
import Dispatch
public import SecureStore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A listener for the addresses that an app is opened with, while the app runs.
///
/// It is a socket in a folder that only this user can use. Several processes of an app may listen, each with a socket of
/// its own. Only processes of this user are heard. An address with another scheme, one that is too long, and one that
/// doesn't come within five seconds are declined without reaching the app.
/// [RFC 8252, 7.1](https://www.rfc-editor.org/rfc/rfc8252#section-7.1).
public final class RedirectListener: Sendable {
    /// The time in which an address must be received whole.
    private static let timeout = Duration.seconds(5)
    /// The maximum number of connections whose address has not been received yet.
    private static let maximumConnections = 16
    /// The maximum number of addresses that wait for the app.
    private static let maximumRedirects = 8

    /// The pause after a connection that could not be accepted, in microseconds.
    private static let acceptPause: UInt32 = 50_000

    /// The addresses, in the order of their arrival, for one consumer.
    ///
    /// It ends if the listener is closed or the consuming task is cancelled.
    public let redirects: AsyncStream<ReceivedRedirect>
    /// The sign-in of this process that waits for its redirect.
    let awaited = Mutex<AwaitedRedirect?>(nil)
    private let path: String
    // Safe: it is used only to cancel it, and libdispatch allows that on any thread.
    nonisolated(unsafe) private let source: any DispatchSourceRead

    /// Starts to listen.
    ///
    /// - Parameter scheme: The app's scheme.
    /// - Returns: The listener. It listens until it is closed or released.
    /// - Throws: `SecureStoreError` (`denied` if the folder is another user's or can't be written; `full`; `failed`).
    public static func start(_ scheme: PrivateUseScheme) throws(SecureStoreError) -> RedirectListener {
        try start(scheme, in: folder(of: scheme))
    }

    /// Starts to listen in a folder of mode 0700.
    static func start(_ scheme: PrivateUseScheme, in folder: String) throws(SecureStoreError) -> RedirectListener {
        SocketFolder(path: folder).removeAbandoned()
        let name = RandomName.make()
        let newName = name + SocketFolder.newNameEnding
        let socket: LocalSocket
        do throws(LocalSocket.SocketError) {
            socket = try LocalSocket(listening: newName, in: folder, backlog: 16)
        } catch {
            throw SecureStoreError(.failed, detail: "\(error.call), errno \(error.code)")
        }
        // Renamed once it listens: a socket that refuses a connection is taken for one that was left behind.
        let path = "\(folder)/\(name)\(SocketFolder.nameEnding)"
        guard unsafe rename("\(folder)/\(newName)", path) == 0 else {
            unsafe unlink("\(folder)/\(newName)")
            throw SecureStoreError(.failed, detail: "rename, errno \(errno)")
        }
        return RedirectListener(scheme, socket, path)
    }

    private init(_ scheme: PrivateUseScheme, _ socket: LocalSocket, _ path: String) {
        let (redirects, inbox) = AsyncStream.makeStream(
            of: ReceivedRedirect.self,
            bufferingPolicy: .bufferingOldest(Self.maximumRedirects)
        )
        let readers = DispatchQueue(label: "sallyport.redirects.readers", attributes: .concurrent)
        let connections = OpenConnections(limit: Self.maximumConnections)
        let accepting = DispatchQueue(label: "sallyport.redirects")
        let source = DispatchSource.makeReadSource(fileDescriptor: socket.number, queue: accepting)
        source.setEventHandler { @Sendable in
            guard let connection = socket.accepted() else {
                // Without a free descriptor the connection keeps waiting, and this handler would be called at once.
                usleep(Self.acceptPause)
                return
            }
            guard connection.isOwnPeer else { return }
            connections.add(connection)
            let deadline = ContinuousClock.now + Self.timeout
            readers.async {
                let redirect = Self.redirect(from: connection, scheme, until: deadline)
                connections.remove(connection)
                // If too many wait, the stream drops the redirect, which declines it.
                if let redirect { inbox.yield(redirect) }
            }
        }
        // Called once, when the dispatch source no longer uses the descriptor.
        source.setCancelHandler { @Sendable in
            withExtendedLifetime(socket) { inbox.finish() }
        }
        self.redirects = redirects
        self.path = path
        unsafe self.source = source
        source.activate()
    }

    deinit { close() }

    /// Stops listening, and ends the stream.
    public func close() {
        unsafe unlink(path)
        unsafe source.cancel()
    }

    /// Returns the folder of the sockets of an app's processes, and creates it if necessary.
    static func folder(of scheme: PrivateUseScheme) throws(SecureStoreError) -> String {
        try DesktopFolder.sockets("redirects/\(scheme.name)")
    }

    /// Reads the address of a connection, and declines one that isn't for the app.
    private static func redirect(
        from connection: LocalSocket,
        _ scheme: PrivateUseScheme,
        until deadline: ContinuousClock.Instant
    ) -> ReceivedRedirect? {
        let limit = PrivateUseScheme.maximumAddressLength
        let bytes = connection.receive(endingWith: UInt8(ascii: "\n"), atMost: limit, until: deadline)
        guard let bytes, let address = String(validating: bytes, as: UTF8.self), scheme.matches(address) else {
            _ = connection.send([ReceivedRedirect.refusal])
            return nil
        }
        return ReceivedRedirect(address, connection)
    }
}

/// The redirect that a sign-in of this process waits for.
struct AwaitedRedirect: Sendable {
    /// The beginning of the sign-in, which replaces the pending one.
    let beginning = Promise<Void>()
    /// The address, which belongs to the sign-in.
    ///
    /// Secret.
    let address = Promise<String>()
    /// The end of the sign-in.
    let end = Promise<Void>()

    /// Runs a step of the sign-in, whose result and error don't matter if the sign-in was replaced meanwhile.
    func unlessReplaced<Value: Sendable>(_ step: @Sendable () async throws -> Value) async throws -> Value {
        let result: Result<Value, any Error>
        do {
            result = .success(try await step())
        } catch {
            result = .failure(error)
        }
        try checkCancellation()
        return try result.get()
    }

    /// Throws an error if the sign-in was cancelled, or if another one has replaced it.
    func checkCancellation() throws {
        try Task.checkCancellation()
        if address.isFinished { throw CancellationError() }
    }
}

/// The connections whose address is being received, limited in number.
private final class OpenConnections: Sendable {
    private let limit: Int
    private let open = Mutex<[LocalSocket]>([])

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a connection, and ends the oldest one if there are too many.
    ///
    /// A new connection is never refused for the number of others: a process that opens connections endlessly loses its
    /// own.
    func add(_ connection: LocalSocket) {
        let dropped = open.withLock { open in
            defer { open.append(connection) }
            return open.count >= limit ? open.removeFirst() : nil
        }
        dropped?.end()
    }

    func remove(_ connection: LocalSocket) {
        open.withLock { open in open.removeAll { $0 === connection } }
    }
}
#endif
