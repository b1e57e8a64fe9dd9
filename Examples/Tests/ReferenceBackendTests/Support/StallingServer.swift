// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// A server on the loopback interface that sends a valid head and the first byte of a body, and then stalls.
enum StallingServer {
    /// Runs a test against a stalling server, and always stops it.
    static func run(_ test: (_ url: String) async throws -> Void) async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StallingHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
            try await test("http://127.0.0.1:\(port)/keys")
        } catch {
            try? await channel.close().get()
            throw error
        }
        try await channel.close().get()
    }
}

/// One connection of the server, confined to its channel's event loop.
private final class StallingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + "{")), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
