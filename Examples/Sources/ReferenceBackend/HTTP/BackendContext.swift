// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import NIOCore
internal import ResourceServer

/// The context of a request.
struct BackendContext: AccessTokenContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the other end of the connection: a client, or a proxy.
    let peer: IPAddress?
    /// The client's network, by which sign-in attempts are counted.
    var network: ClientNetwork
    /// The port at which the request arrived.
    let localPort: Int
    /// The provider's access token, for the routes that require one.
    var accessToken: VerifiedAccessToken?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = IPAddress(of: source.channel.remoteAddress)
        network = ClientNetwork(peer)
        localPort = source.channel.localAddress?.port ?? 0
    }
}
