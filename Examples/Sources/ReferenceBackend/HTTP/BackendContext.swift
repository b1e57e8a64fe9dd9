internal import Hummingbird
internal import NIOCore

/// The context of a request.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the other end of the connection: a client, or a proxy.
    let peer: IPAddress?
    /// The client's network, by which sign-in attempts are counted.
    var network: ClientNetwork
    /// The port at which the request arrived.
    let localPort: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = IPAddress(of: source.channel.remoteAddress)
        network = ClientNetwork(peer)
        localPort = source.channel.localAddress?.port ?? 0
    }
}
