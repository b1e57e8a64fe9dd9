#if LoopbackRedirect
import NIOCore
import NIOHTTP1

/// One connection of the loopback listener: reads one request, answers one page, closes.
///
/// Confined to its channel's event loop, as every NIO handler is.
final class CallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let callback: CallbackBox
    private var head: HTTPRequestHead?

    init(callback: CallbackBox) {
        self.callback = callback
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
        case .body:
            // A GET has none; what else sends one is refused below without reading it.
            break
        case .end:
            guard let head else { return }
            self.head = nil
            let answer = answer(to: head)
            write(answer.status, answer.page, to: context) { [callback] in
                if let result = answer.result { callback.deliver(result) }
            }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stranger's broken request ends its own connection and nothing else.
        context.close(promise: nil)
    }

    private struct Answer {
        let status: HTTPResponseStatus
        let page: CallbackPage
        var result: Result<AuthorizationResponse, AuthorizationError>?
    }

    private func answer(to head: HTTPRequestHead) -> Answer {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first.map(String.init) == CallbackBox.path else { return Answer(status: .notFound, page: .unknown) }
        guard head.method == .GET else { return Answer(status: .methodNotAllowed, page: .unknown) }
        let hosts = head.headers["Host"]
        guard hosts.count == 1, callback.isOurs(host: hosts.first) else {
            return Answer(status: .forbidden, page: .unknown)
        }
        let result = callback.take(query: parts.count > 1 ? String(parts[1]) : "")
        return switch result {
        case .success: Answer(status: .ok, page: .signedIn, result: result)
        case .failure: Answer(status: .ok, page: .notSignedIn, result: result)
        case nil: Answer(status: .badRequest, page: .unknown)
        }
    }

    private func write(
        _ status: HTTPResponseStatus,
        _ page: CallbackPage,
        to context: ChannelHandlerContext,
        whenDone done: @escaping @Sendable () -> Void
    ) {
        let body = ByteBuffer(string: page.html)
        let headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": "\(body.readableBytes)",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        ]
        context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            // Also where the browser is gone: the callback has come all the same.
            done()
            channel.close(promise: nil)
        }
    }
}
#endif
