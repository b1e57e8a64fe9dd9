// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// A connection of the local server, confined to its channel's event loop.
final class LocalServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let log: RequestLog
    private let response: @Sendable (LocalServer.Request) -> LocalServer.Response
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(log: RequestLog, response: @escaping @Sendable (LocalServer.Request) -> LocalServer.Response) {
        self.log = log
        self.response = response
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
            let request = LocalServer.Request(head: head, body: body)
            log.add(request)
            perform(response(request), on: context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func perform(_ response: LocalServer.Response, on context: ChannelHandlerContext) {
        let channel = context.channel
        switch response {
        case .respond(let status, var headers, let body):
            headers.replaceOrAdd(name: "Content-Length", value: "\(body.count)")
            write(status, headers, body, to: context)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .silence:
            break
        case .breakOff(let promised, let sent):
            write(.ok, ["Content-Length": "\(promised)"], Array(repeating: 0x20, count: sent), to: context)
            channel.close(promise: nil)
        case .stall(let promised, let sent):
            write(.ok, ["Content-Length": "\(promised)"], Array(repeating: 0x20, count: sent), to: context)
        case .hangUp:
            channel.close(promise: nil)
        case .endless:
            write(.ok, ["Transfer-Encoding": "chunked"], [], to: context)
            writeOn(context)
        }
    }

    private func write(
        _ status: HTTPResponseStatus,
        _ headers: HTTPHeaders,
        _ body: [UInt8],
        to context: ChannelHandlerContext
    ) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }

    private func writeOn(_ context: ChannelHandlerContext) {
        let chunk = ByteBuffer(repeating: 0x20, count: 16_384)
        let written = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(chunk))))
        written.assumeIsolated().whenSuccess { self.writeOn(context) }
    }
}
