// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
import NIOCore
import NIOHTTP1

/// One connection of the listener: reads a request's head, responds, and waits until the client closes the connection.
///
/// Confined to its channel's event loop, like every NIO handler.
final class CallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let router: CallbackRouter
    private let connections: LoopbackConnections
    private let limits: LoopbackLimits
    private var deadline: Scheduled<Void>?
    private var hasResponse = false
    private var callback: CallbackRouter.AcceptedCallback?

    init(router: CallbackRouter, connections: LoopbackConnections, limits: LoopbackLimits) {
        self.router = router
        self.connections = connections
        self.limits = limits
    }

    /// Adds HTTP and this handler to a connection's pipeline.
    func join(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldCount = limits.fieldCount
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(RequestSizeLimit(limits))
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: decoding)
            )
        )
        try pipeline.addHandler(NIOHTTPResponseHeadersValidator())
        try pipeline.addHandler(self)
    }

    func channelActive(context: ChannelHandlerContext) {
        // One deadline for the whole head, not renewed with each byte: a client that sends slowly could stay forever.
        setDeadline(limits.head, context)
        connections.add(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The head alone decides the response, without waiting for content; a pipelined request is ignored.
        guard !hasResponse, case .head(let head) = unwrapInboundIn(data) else { return }
        let channel = context.channel
        let response = router.response(to: head) { PeerOwner(ofPeer: channel.remoteAddress, at: channel.localAddress) }
        callback = response.callback
        write(response, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A malformed request ends only its own connection.
        guard !hasResponse else { return }
        guard let error = error as? HTTPParserError, let response = LoopbackResponse(to: error) else {
            context.close(promise: nil)
            return
        }
        write(response, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.remove(context.channel)
        // Not earlier: now the browser has its page, or will not read it. The notified process may exit at once.
        callback?.announce()
        callback = nil
        context.fireChannelInactive()
    }

    private func write(_ response: LoopbackResponse, _ context: ChannelHandlerContext) {
        hasResponse = true
        setDeadline(limits.response, context)
        connections.markHasResponse(context.channel)
        let body = response.body
        context.write(wrapOutboundOut(.head(response.head(contentLength: body.readableBytes))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            // Closes only the output, and the rest once the client has closed its side: closing a connection with
            // unread bytes resets it, and the page would be lost.
            channel.close(mode: .output, promise: nil)
        }
    }

    private func setDeadline(_ time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }
}

/// A handler that passes on at most the permitted size of a request's head.
///
/// Counts every byte before the decoder stores any: one endless field, many small ones, or data after the head take no
/// more memory. Confined to its channel's event loop, like every NIO handler.
final class RequestSizeLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The number of bytes that may still be passed on.
    private var allowance: Int
    /// The number of bytes that may still be discarded before the connection is closed.
    private var excess: Int

    init(_ limits: LoopbackLimits) {
        allowance = limits.headSize
        excess = limits.excess
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if allowance > 0, let allowed = bytes.readSlice(length: min(allowance, bytes.readableBytes)) {
            allowance -= allowed.readableBytes
            context.fireChannelRead(wrapInboundOut(allowed))
            // Harmless to a request that is already complete: it has its response.
            if allowance == 0 { context.fireErrorCaught(HTTPParserError.headerOverflow) }
        }
        excess -= bytes.readableBytes
        if excess < 0 { context.close(promise: nil) }
    }
}
#endif
