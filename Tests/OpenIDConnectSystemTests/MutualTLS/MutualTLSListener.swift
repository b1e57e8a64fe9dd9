// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import AuthCore
import Crypto
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A listener on the loopback interface whose TLS handshake demands a client certificate.
///
/// It ends when it is released.
final class MutualTLSListener: Sendable {
    let authority: String
    let server: CertificateBoundServer
    private let channel: any Channel

    private init(authority: String, server: CertificateBoundServer, channel: any Channel) {
        self.authority = authority
        self.server = server
        self.channel = channel
    }

    deinit {
        channel.close(promise: nil)
    }

    /// The issuer identifier of the authorization server.
    var issuer: String { "https://\(authority)" }

    /// Starts a listener with a new server behind it.
    static func start() async throws -> MutualTLSListener {
        let context = try NIOSSLContext(configuration: try MutualTLSCertificates.serverConfiguration())
        let server = CertificateBoundServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(MutualTLSConnection(server: server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return MutualTLSListener(authority: "127.0.0.1:\(port)", server: server, channel: channel)
    }
}

/// A connection of the listener, confined to its channel's event loop.
private final class MutualTLSConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: CertificateBoundServer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(server: CertificateBoundServer) {
        self.server = server
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
            let request = CertificateBoundServer.Request(head, body, thumbprint: thumbprint(on: context))
            write(server.response(to: request), to: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Returns the SHA-256 of the certificate that the client presented in the handshake of this connection.
    private func thumbprint(on context: ChannelHandlerContext) -> String? {
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        guard let bytes = try? certificate?.toDERBytes() else { return nil }
        return Base64URL.encode(Array(SHA256.hash(data: bytes)))
    }

    private func write(_ response: CertificateBoundServer.Response, to context: ChannelHandlerContext) {
        var headers = response.headers
        headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.utf8.count)")
        let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: response.body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
#endif
