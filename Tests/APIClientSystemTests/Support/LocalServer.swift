// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/1 server on the loopback interface whose responses a test decides.
final class LocalServer: Sendable {
    enum Response: Sendable {
        case respond(HTTPResponseStatus, headers: HTTPHeaders = [:], body: [UInt8] = [])
        /// The request is read, and no response is sent.
        case silence
        /// The head promises more bytes than follow, then the connection ends.
        case breakOff(promised: Int, sent: Int)
        /// The head promises more bytes than follow, and the connection stays open.
        case stall(promised: Int, sent: Int)
        /// The connection ends without a response.
        case hangUp
        /// Chunks are sent without end, until the client closes the connection.
        case endless
    }

    struct Request: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    let authority: String
    let port: Int
    /// The requests as they arrive, for at most one reader.
    let arrivals: AsyncStream<Request>
    private let channel: any Channel
    private let log: RequestLog

    private init(host: String, port: Int, channel: any Channel, log: RequestLog, arrivals: AsyncStream<Request>) {
        authority = "\(host):\(port)"
        self.port = port
        self.channel = channel
        self.log = log
        self.arrivals = arrivals
    }

    deinit {
        channel.close(promise: nil)
    }

    var requests: [Request] { log.all }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - host: An address of the loopback interface.
    ///   - tls: The TLS configuration. If nil, connections are plain.
    ///   - response: The function that decides the response to a request.
    /// - Returns: The server, which ends when it is released.
    /// - Throws: The system's error.
    static func start(
        host: String = "127.0.0.1",
        tls: TLSConfiguration? = nil,
        _ response: @escaping @Sendable (Request) -> Response
    ) async throws -> LocalServer {
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let (arrivals, arrived) = AsyncStream.makeStream(of: Request.self)
        let log = RequestLog(arrived: arrived)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(LocalServerHandler(log: log, response: response))
                }
            }
            .bind(host: host, port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return LocalServer(host: host, port: port, channel: channel, log: log, arrivals: arrivals)
    }
}

/// The requests that a server received.
final class RequestLog: Sendable {
    private let requests = Mutex<[LocalServer.Request]>([])
    private let arrived: AsyncStream<LocalServer.Request>.Continuation

    init(arrived: AsyncStream<LocalServer.Request>.Continuation) {
        self.arrived = arrived
    }

    var all: [LocalServer.Request] { requests.withLock { $0 } }

    func add(_ request: LocalServer.Request) {
        requests.withLock { $0.append(request) }
        arrived.yield(request)
    }
}
