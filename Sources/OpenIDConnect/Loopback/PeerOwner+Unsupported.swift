// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && os(macOS)
import NIOCore

extension PeerOwner {
    /// Returns `unsupported`: only Linux has tables of TCP connections that every process can read.
    init(ofPeer peer: SocketAddress?, at own: SocketAddress?) {
        self = .unsupported
    }
}
#endif
