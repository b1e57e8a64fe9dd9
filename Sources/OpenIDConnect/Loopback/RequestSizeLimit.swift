#if LoopbackRedirect
import NIOCore
import NIOHTTP1

/// Lets no more of a connection through than a request's head may be long.
///
/// Counts every byte, before the decoder keeps any: neither one field without an end nor many small ones, nor what follows a
/// head, takes more memory. Confined to its channel's event loop, as every NIO handler is.
final class RequestSizeLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The bytes that the head may still have.
    private var allowance: Int
    /// The bytes that are thrown away before the connection is closed.
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
            // No harm to a request that is whole by now: it has its response.
            if allowance == 0 { context.fireErrorCaught(HTTPParserError.headerOverflow) }
        }
        excess -= bytes.readableBytes
        if excess < 0 { context.close(promise: nil) }
    }
}
#endif
