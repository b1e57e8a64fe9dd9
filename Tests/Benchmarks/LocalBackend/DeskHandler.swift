// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// One connection, confined to its channel's event loop.
final class DeskHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: Desk
    private var head: HTTPRequestHead?

    init(desk: Desk) {
        self.desk = desk
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body: break
        case .end:
            guard let head else { return }
            let answer = desk.answer(head.uri, authorization: head.headers["Authorization"].first)
            let body = context.channel.allocator.buffer(string: answer.body)
            let headers: HTTPHeaders = [
                "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
            ]
            let response = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
