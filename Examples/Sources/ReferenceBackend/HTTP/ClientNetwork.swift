internal import NIOCore

/// The network of a client: an IPv4 address, or the first 64 bits of an IPv6 address.
///
/// One machine can have a whole /64 of IPv6 to itself, so a limit per address would be useless.
/// [RFC 6177](https://www.rfc-editor.org/rfc/rfc6177).
struct ClientNetwork: Hashable, Sendable {
    private let prefix: [UInt8]

    /// Creates the network of a peer's address; all peers without an IP address share one network.
    init(_ address: SocketAddress?) {
        // The address follows 4 bytes of family and port in `sockaddr_in`, and 4 more of flow label in `sockaddr_in6`.
        switch (address, address.map(Self.bytes) ?? []) {
        case (.v4, let bytes):
            prefix = Array(bytes[4..<8])
        case (.v6, let bytes):
            let address = bytes[8..<24]
            // RFC 4291, 2.5.5.2: an IPv4-mapped address, from a socket for both versions.
            let isMapped = address.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            prefix = Array(isMapped ? address.suffix(4) : address.prefix(8))
        case (.unixDomainSocket, _), (nil, _):
            prefix = []
        }
    }

    private static func bytes(of address: SocketAddress) -> [UInt8] {
        unsafe address.withSockAddr { pointer, count in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
        }
    }
}
