#if LoopbackRedirect
import NIOCore
import NIOHTTP1

/// One connection of the listener: takes one request's head, answers, waits for the other side to hang up.
///
/// Confined to its channel's event loop, as every NIO handler is.
final class CallbackHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let door: CallbackDoor
    private let connections: LoopbackConnections
    private let limits: LoopbackLimits
    private var deadline: Scheduled<Void>?
    private var isAnswered = false
    private var guest: CallbackDoor.Guest?

    init(door: CallbackDoor, connections: LoopbackConnections, limits: LoopbackLimits) {
        self.door = door
        self.connections = connections
        self.limits = limits
    }

    /// Sets a connection up to speak HTTP with this handler.
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
        // From the beginning to the head's end, not from byte to byte: who drips would stay forever.
        setDeadline(limits.head, context)
        connections.add(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Answered by its head, without waiting for content; what follows in the pipeline is not looked at.
        guard !isAnswered, case .head(let head) = unwrapInboundIn(data) else { return }
        let channel = context.channel
        let answer = door.answer(to: head) { PeerOwner(ofPeer: channel.remoteAddress, at: channel.localAddress) }
        guest = answer.guest
        write(answer, context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A stranger's broken request ends its own connection and nothing else.
        guard !isAnswered else { return }
        guard let error = error as? HTTPParserError, let answer = LoopbackAnswer(to: error) else {
            context.close(promise: nil)
            return
        }
        write(answer, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        connections.remove(context.channel)
        // Only now: the browser has its page, or will not read it. Who waits may be a process that ends at once.
        guest?.announce()
        guest = nil
        context.fireChannelInactive()
    }

    private func write(_ answer: LoopbackAnswer, _ context: ChannelHandlerContext) {
        isAnswered = true
        setDeadline(limits.answer, context)
        connections.markAnswered(context.channel)
        let body = answer.body
        context.write(wrapOutboundOut(.head(answer.head(contentLength: body.readableBytes))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            // Half, and the rest once the other side has hung up: a connection that is closed with bytes unread is
            // reset, and takes the page along.
            channel.close(mode: .output, promise: nil)
        }
    }

    private func setDeadline(_ time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }
}
#endif
