import Dispatch
import Synchronization

/// An HTTP/1.1 server on the loopback interface that answers as a check says.
///
/// As simple as it can be: a thread a connection, blocking calls. It ends with its last user.
package final class ScriptedServer: Sendable {
    /// What answers a request, on the connection's own thread, where it may block.
    package typealias Answer = @Sendable (ServerExchange) throws -> Void

    /// The port it listens on.
    package let port: Int
    /// Every request as it comes; read by one task at most.
    package let arrivals: AsyncStream<ServerRequest>
    private let connections: ServerConnections

    /// Starts a server.
    ///
    /// - Parameter answer: What answers each request.
    /// - Throws: What the system says where there is no socket.
    package init(_ answer: @escaping Answer) throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: ServerRequest.self)
        let (listener, port) = try LoopbackSocket.openListener(backlog: 256)
        let connections = ServerConnections(arrived: arrived)
        self.arrivals = arrivals
        self.port = port
        self.connections = connections
        DispatchQueue(label: "sallyport.server").async {
            while let descriptor = LoopbackSocket.nextConnection(listener), connections.add(descriptor) {
                // A queue of its own is a thread of its own while it blocks.
                DispatchQueue(label: "sallyport.server.connection").async {
                    connections.serve(descriptor, answer)
                }
            }
            LoopbackSocket.release(listener)
        }
    }

    deinit {
        connections.stop()
        // Wakes the thread that accepts, on every platform.
        if let descriptor = try? LoopbackSocket.openConnection(port: port, waits: true) {
            LoopbackSocket.release(descriptor)
        }
    }

    /// Host and port.
    package var authority: String { "127.0.0.1:\(port)" }
    /// Every request so far, in the order in which their heads came.
    package var requests: [ServerRequest] { connections.requests }
    /// How many connections were accepted so far.
    package var connectionCount: Int { connections.count }

    /// A port on which nobody listens: one that was free a moment ago.
    package static func closedPort() throws -> Int {
        let (descriptor, port) = try LoopbackSocket.openListener(backlog: 1)
        LoopbackSocket.release(descriptor)
        return port
    }
}

/// The connections of one server.
final class ServerConnections: Sendable {
    private struct State {
        var open: Set<Int32> = []
        var isStopped = false
        var count = 0
        var requests: [ServerRequest] = []
    }

    private let state = Mutex(State())
    private let arrived: AsyncStream<ServerRequest>.Continuation

    init(arrived: AsyncStream<ServerRequest>.Continuation) {
        self.arrived = arrived
    }

    var requests: [ServerRequest] { state.withLock { $0.requests } }
    var count: Int { state.withLock { $0.count } }

    /// Takes a connection in; says whether there is still a server for it.
    func add(_ descriptor: Int32) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isStopped else { return false }
            state.open.insert(descriptor)
            state.count += 1
            return true
        }
        if !isTaken { LoopbackSocket.release(descriptor) }
        return isTaken
    }

    /// Answers the requests of a connection, one after the other, and lets go of it.
    func serve(_ descriptor: Int32, _ answer: ScriptedServer.Answer) {
        var connection = ServerConnection(descriptor: descriptor)
        do {
            while let request = try connection.nextRequest() {
                state.withLock { $0.requests.append(request) }
                arrived.yield(request)
                let exchange = ServerExchange(request, on: connection)
                try answer(exchange)
                connection = try exchange.connectionAfterwards()
            }
        } catch {
            // The peer went away, or the answer was to hang up.
        }
        // Under the lock, so that stopping ends no descriptor that is another one's by then.
        state.withLock { state in
            state.open.remove(descriptor)
            LoopbackSocket.release(descriptor)
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            for descriptor in state.open { LoopbackSocket.end(descriptor) }
        }
        arrived.finish()
    }
}
