// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import Glibc
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import APIClient

/// A response that nobody asked for, on a connection that is kept.
@Suite(.timeLimit(.minutes(3)))
struct KeptConnectionTests {
    private static func request(
        _ method: HTTPRequest.Method,
        _ scheme: String,
        _ authority: String,
        _ path: String,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: method, scheme: scheme, authority: authority, path: path),
            timeout: .seconds(60),
            sendGuard: sendGuard
        )
    }

    /// `CurlTransport passes the conformance checks of transports` covers a connection without a proxy.
    @Test(arguments: [.get, .post] as [HTTPRequest.Method])
    func `a response that came through a tunnel before its request is not given to it`(
        method: HTTPRequest.Method
    ) async throws {
        let (received, sent) = (Gate(), Gate())
        // It is also the proxy.
        let server = try ScriptedServer { exchange in
            if exchange.request.method == "CONNECT" { return try exchange.write("HTTP/1.1 200 OK\r\n\r\n") }
            try exchange.respond(body: Array(exchange.request.target.utf8))
            guard exchange.request.target == "/first" else { return }
            received.wait()
            try exchange.respond(body: Array("unasked".utf8))
            sent.open()
        }
        let settings = TransportSettings(proxy: .url("http://\(server.authority)"))
        let transport = CurlTransport(try CurlSettings(settings), loop: CurlLoop())
        let questions = Mutex(0)
        for path in ["/first", "/second", "/third"] {
            let request = Self.request(method, "http", "behind.example:8080", path) {
                questions.withLock { $0 += 1 }
                return true
            }
            #expect(try await transport.send(request).body == Array(path.utf8))
            received.open()
            #expect(await sent.opens(within: .seconds(60)))
        }
        #expect(server.requests.map(\.target).filter { $0.hasPrefix("/") } == ["/first", "/second", "/third"])
        #expect(server.connectionCount == 2)
        // Not for the connection that was refused.
        #expect(questions.withLock { $0 } == 3)
    }

    /// A connection that sends the end of each response and a response that nobody asked for in one TLS record.
    private final class OverreachingHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = context.channel
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
            channel.writeAndFlush(ByteBuffer(string: head)).whenSuccess {
                channel.writeAndFlush(ByteBuffer(string: "asked\(head)other"), promise: nil)
            }
        }
    }

    @Test func `a response that TLS has read with the one before is not given to the next request`() async throws {
        let context = try NIOSSLContext(configuration: try TestCertificates.serverConfiguration())
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(OverreachingHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        defer { server.close(promise: nil) }
        let port = try #require(server.localAddress?.port)
        let file = try TemporaryFile(Array(TestCertificates.authority.utf8))
        let settings = try CurlSettings(TransportSettings(certificateAuthorities: file.path, proxy: .none))
        let transport = CurlTransport(settings, loop: CurlLoop())
        for _ in 0..<3 {
            let response = try await transport.send(Self.request(.get, "https", "127.0.0.1:\(port)", "/"))
            #expect(response.body == Array("asked".utf8))
        }
    }

    /// libcurl tries the second address of a host before the first has failed, and closes the slower socket by itself.
    @Test func `a connection is found among all sockets that were opened for it`() throws {
        let server = try ScriptedServer { try $0.respond() }
        let type = Int32(SOCK_STREAM.rawValue)
        let (slow, fast) = (socket(AF_INET, type, 0), socket(AF_INET, type, 0))
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(server.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Safe: the pointer is to a sockaddr_in, whose size goes with it, and is used within the call.
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(fast, pointer, size) == 0 && getsockname(fast, pointer, &size) == 0
            }
        }
        #expect(result)
        let port = Int32(UInt16(bigEndian: address.sin_port))
        let sockets = CurlSockets()
        #expect(!sockets.isSilent(port))
        sockets.note(port, of: [slow, fast])
        #expect(sockets.isSilent(port))
        shutdown(fast, Int32(SHUT_RD))
        #expect(!sockets.isSilent(port))
        for descriptor in [slow, fast] { #expect(sockets.release(descriptor) == 0) }
        #expect(!sockets.isSilent(port))
    }

    @Test func `requests over TLS share a connection`() async throws {
        let proxy = try await TunnelProxy.start()
        let tls = try TestCertificates.serverConfiguration(TestFaultyCertificates.otherName)
        let server = try await TLSServer(tls: tls)
        let file = try TemporaryFile(Array(TestFaultyCertificates.authority.utf8))
        let proxyURL = TransportSettings.Proxy.url("http://127.0.0.1:\(proxy.port)")
        let settings = try CurlSettings(TransportSettings(certificateAuthorities: file.path, proxy: proxyURL))
        let transport = CurlTransport(settings, loop: CurlLoop())
        for method in [HTTPRequest.Method.get, .post, .get, .post] {
            _ = try await transport.send(Self.request(method, "https", "server.example:\(server.port)", "/"))
        }
        #expect(proxy.heads.count == 1)
    }
}
#endif
