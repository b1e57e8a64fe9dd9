// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// An HTTP/1 server on the loopback interface that speaks TLS and accepts every request.
///
/// For plain connections and for faults there is `ScriptedServer`.
final class TLSServer: Sendable {
    struct Request: Sendable {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    /// The requests so far.
    private final class Log: Sendable {
        let requests = Mutex<[Request]>([])
    }

    /// A connection, confined to its channel's event loop.
    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Log
        private let respond: @Sendable ([UInt8]) -> [UInt8]
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(_ log: Log, _ respond: @escaping @Sendable ([UInt8]) -> [UInt8]) {
            self.log = log
            self.respond = respond
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
            case .body(let part):
                body += Array(part.readableBytesView)
            case .end:
                guard let head else { return }
                let request = Request(head: head, body: body)
                log.requests.withLock { $0.append(request) }
                let response = respond(body)
                let fields: HTTPHeaders = ["Content-Length": "\(response.count)"]
                let start = HTTPResponseHead(version: .http1_1, status: .ok, headers: fields)
                context.write(wrapOutboundOut(.head(start)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    let authority: String
    let port: Int
    private let channel: any Channel
    private let log: Log

    /// Starts a server, which ends when it is released.
    ///
    /// - Parameters:
    ///   - host: An address of the loopback interface.
    ///   - respond: Returns the body of the response to a request's body.
    init(
        host: String = "127.0.0.1",
        tls: TLSConfiguration,
        _ respond: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [] }
    ) async throws {
        let context = try NIOSSLContext(configuration: tls)
        let log = Log()
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(log, respond))
                }
            }
            .bind(host: host, port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        self.log = log
        self.port = port
        authority = "\(host):\(port)"
    }

    deinit {
        channel.close(promise: nil)
    }

    var requests: [Request] { log.requests.withLock { $0 } }
}
