import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/1 server on the loopback interface that answers as a test says.
final class LocalServer: Sendable {
    enum Answer: Sendable {
        case respond(HTTPResponseStatus, headers: HTTPHeaders = [:], body: [UInt8] = [])
        /// The request is read and never answered.
        case silence
        /// A head that promises more bytes than follow, then the end of the connection.
        case breakOff(promised: Int, sent: Int)
        /// A head that promises more bytes than follow, and then nothing.
        case stall(promised: Int, sent: Int)
        /// The connection ends without an answer.
        case hangUp
        /// Bytes without end, chunk by chunk, until the other side has enough.
        case endless
    }

    struct Request: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    let authority: String
    let port: Int
    /// Every request as it comes; read by one test at most.
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
    ///   - tls: How connections are secured; nil for plain ones.
    ///   - answer: What answers a request.
    /// - Returns: The server, which ends when it is let go of.
    /// - Throws: What the system says.
    static func start(
        host: String = "127.0.0.1",
        tls: TLSConfiguration? = nil,
        _ answer: @escaping @Sendable (Request) -> Answer
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
                    try channel.pipeline.syncOperations.addHandler(AnsweringHandler(log: log, answer: answer))
                }
            }
            .bind(host: host, port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return LocalServer(host: host, port: port, channel: channel, log: log, arrivals: arrivals)
    }
}

/// What a server was sent.
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
