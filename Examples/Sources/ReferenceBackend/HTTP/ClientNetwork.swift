internal import NIOCore

/// The network that a request comes from: an IPv4 address, or the first 64 bits of an IPv6 address.
///
/// One machine has a whole /64 of IPv6 to itself, so counting by address would count nothing.
/// [RFC 6177](https://www.rfc-editor.org/rfc/rfc6177).
struct ClientNetwork: Hashable, Sendable {
    private let prefix: [UInt8]

    /// Takes the network from a peer's address; all peers without an IP address share one network.
    init(_ address: SocketAddress?) {
        // `sockaddr_in` has the address behind 4 bytes of family and port, `sockaddr_in6` behind 4 more of flow label.
        switch (address, address.map(Self.bytes) ?? []) {
        case (.v4, let bytes):
            prefix = Array(bytes[4..<8])
        case (.v6, let bytes):
            let address = bytes[8..<24]
            // RFC 4291, 2.5.5.2: an IPv4 address, as a socket for both versions shows it.
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
