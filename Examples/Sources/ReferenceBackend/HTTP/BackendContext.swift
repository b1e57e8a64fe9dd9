internal import Hummingbird
internal import NIOCore

/// The context of a request.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The client's network, by which sign-in attempts are counted.
    let network: ClientNetwork
    /// The port at which the request arrived.
    let localPort: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        network = ClientNetwork(source.channel.remoteAddress)
        localPort = source.channel.localAddress?.port ?? 0
    }
}
