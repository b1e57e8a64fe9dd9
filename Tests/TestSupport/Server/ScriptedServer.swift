// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// An HTTP/1.1 server on the loopback interface that responds as a check says.
///
/// As simple as possible: one thread per connection, blocking calls. It stops when its last reference is released.
package final class ScriptedServer: Sendable {
    /// A function that responds to a request, on the connection's own thread, where it may block.
    package typealias Handler = @Sendable (ServerExchange) throws -> Void

    /// The port on which the server listens.
    package let port: Int
    /// The requests as they arrive; read by one task at most.
    package let arrivals: AsyncStream<ServerRequest>
    private let connections: ServerConnections

    /// Starts a server.
    ///
    /// - Parameter handler: The function that responds to each request.
    /// - Throws: The system's error if no socket can be opened.
    package init(_ handler: @escaping Handler) throws {
        let (arrivals, arrived) = AsyncStream.makeStream(of: ServerRequest.self)
        let (listener, port) = try LoopbackSocket.openListener(backlog: 256)
        let connections = ServerConnections(arrived: arrived)
        self.arrivals = arrivals
        self.port = port
        self.connections = connections
        DispatchQueue(label: "sallyport.server").async {
            while let descriptor = LoopbackSocket.nextConnection(listener), connections.add(descriptor) {
                // Each connection has its own queue, and so its own thread while it blocks.
                DispatchQueue(label: "sallyport.server.connection").async {
                    connections.serve(descriptor, handler)
                }
            }
            LoopbackSocket.release(listener)
        }
    }

    deinit {
        connections.stop()
        // Wakes the accepting thread, on every platform.
        if let descriptor = try? LoopbackSocket.openConnection(port: port, waits: true) {
            LoopbackSocket.release(descriptor)
        }
    }

    /// The server's host and port.
    package var authority: String { "127.0.0.1:\(port)" }
    /// Every request so far, in the order in which the heads arrived.
    package var requests: [ServerRequest] { connections.requests }
    /// The number of connections accepted so far.
    package var connectionCount: Int { connections.count }

    /// Returns a port without a listener: one that was free a moment ago.
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

    /// Adds a connection; returns false and closes it if the server has stopped.
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

    /// Responds to the requests of a connection, one after the other, and closes it.
    func serve(_ descriptor: Int32, _ handler: ScriptedServer.Handler) {
        var connection = ServerConnection(descriptor: descriptor)
        do {
            while let request = try connection.nextRequest() {
                state.withLock { $0.requests.append(request) }
                arrived.yield(request)
                let exchange = ServerExchange(request, on: connection)
                try handler(exchange)
                connection = try exchange.connectionAfterwards()
            }
        } catch {
            // The peer disconnected, or the check closed the connection.
        }
        // Under the lock, so that `stop` doesn't end a descriptor that the system has reused.
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
