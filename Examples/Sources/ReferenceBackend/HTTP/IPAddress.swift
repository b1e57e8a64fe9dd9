// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// An IPv4 or IPv6 address; an IPv4-mapped IPv6 address is equal to its IPv4 address.
public struct IPAddress: Hashable, Sendable {
    /// The 4 or 16 bytes of the address.
    let bytes: [UInt8]

    /// Parses an address; nil for anything else, for example a name, or an address with a port or a zone.
    public init?(_ text: String) {
        guard !text.contains("%"), let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(of: address)
    }

    /// Creates the address of a socket; nil for a socket without an IP address.
    init?(of address: SocketAddress?) {
        // The address follows 4 bytes of family and port in `sockaddr_in`, and 4 more of flow label in `sockaddr_in6`.
        switch (address, address.map(Self.socketBytes) ?? []) {
        case (.v4, let bytes):
            self.bytes = Array(bytes[4..<8])
        case (.v6, let bytes):
            let address = bytes[8..<24]
            // RFC 4291, 2.5.5.2: an IPv4-mapped address, from a socket for both versions.
            let isMapped = address.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            self.bytes = Array(isMapped ? address.suffix(4) : address)
        case (.unixDomainSocket, _), (nil, _):
            return nil
        }
    }

    private static func socketBytes(of address: SocketAddress) -> [UInt8] {
        unsafe address.withSockAddr { pointer, count in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
        }
    }
}
