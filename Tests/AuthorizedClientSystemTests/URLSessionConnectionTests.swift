// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing
import URLSessionAuthorization

@testable import OpenIDSessionTests

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The connections of a `URLSession` whose requests carry a session's tokens.
@Suite(.timeLimit(.minutes(1)))
struct URLSessionConnectionTests {
    @Test func `requests of one URLSession share a connection`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let connections = Mutex(0)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                connections.withLock { $0 += 1 }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(EmptyResponses())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let session = URLSession(configuration: .ephemeral)
        let request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)/job")))
        for _ in 0..<3 {
            let (_, response) = try await session.data(for: request, authorizedBy: fixture.session)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(connections.withLock { $0 } == 1)
        session.finishTasksAndInvalidate()
        try await server.close()
    }
}

/// The redirects of a `URLSession` to another origin.
@Suite(.timeLimit(.minutes(1)))
struct RedirectToAnotherOriginTests {
    @Test(arguments: ["POST", "DELETE"])
    func `a request other than GET and HEAD follows no redirect to another origin`(method: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let other = try HTTPResourceServer { _ in .accepted }
        let server = try HTTPResourceServer { _ in .redirected(307, to: other.address + "/elsewhere") }
        let session = URLSession(configuration: .ephemeral)
        var request = URLRequest(url: try #require(URL(string: server.address + "/job")))
        request.httpMethod = method
        let (_, response) = try await session.data(for: request, authorizedBy: fixture.session)
        #expect((response as? HTTPURLResponse)?.statusCode == 307)
        #expect(other.calls.isEmpty)
        session.finishTasksAndInvalidate()
    }

    @Test(arguments: [("X-API-Key", 302), ("X-Trace", 200)])
    func `a credential of the configuration follows no redirect to another origin`(
        name: String,
        status: Int
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let other = try HTTPResourceServer { _ in .accepted }
        let server = try HTTPResourceServer { _ in .redirected(302, to: other.address + "/elsewhere") }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = [name: "k-1"]
        let session = URLSession(configuration: configuration)
        let request = URLRequest(url: try #require(URL(string: server.address + "/job")))
        let (_, response) = try await session.data(for: request, authorizedBy: fixture.session)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(other.calls.count == (status == 200 ? 1 : 0))
        session.finishTasksAndInvalidate()
    }
}

/// Answers each request with an empty response, and leaves the connection open.
private final class EmptyResponses: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
