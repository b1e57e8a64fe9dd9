internal import Hummingbird
internal import NIOCore

/// What is known of a request besides its bytes.
struct BackendContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer's address without its port; what sign-ins are counted by.
    let address: String
    /// The port the request arrived at.
    let localPort: Int

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
        localPort = source.channel.localAddress?.port ?? 0
    }
}
