internal import Hummingbird
internal import NIOCore

/// What is known of a request besides its bytes.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer's network, which sign-ins are counted by.
    let network: ClientNetwork
    /// The port the request arrived at.
    let localPort: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        network = ClientNetwork(source.channel.remoteAddress)
        localPort = source.channel.localAddress?.port ?? 0
    }
}
