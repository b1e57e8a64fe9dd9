#if LoopbackRedirect && os(Linux)
import NIOCore

/// An address and a port, as the kernel's tables of TCP connections write them.
///
/// [proc_pid_net(5)](https://man7.org/linux/man-pages/man5/proc_pid_net.5.html).
struct TCPEndpoint {
    let isV4: Bool
    /// `0100007F:1F90` for 127.0.0.1 and port 8080 on a little-endian machine.
    let text: String
    /// The same for an IPv4 address within IPv6, `::ffff:127.0.0.1`.
    let mappedText: String

    /// Writes an address; nil if it is not of IPv4 or IPv6.
    init?(_ address: SocketAddress) {
        // Within `sockaddr_in` behind family and port, within `sockaddr_in6` behind the flow as well.
        let place: Range<Int>
        switch address {
        case .v4: place = 4..<8
        case .v6: place = 8..<24
        case .unixDomainSocket: return nil
        }
        guard let port = address.port else { return nil }
        // Safe: the bytes are copied within the call that lends them.
        let bytes = unsafe address.withSockAddr { pointer, size in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: size))
        }
        self.init(Array(bytes[place]), port: port)
    }

    /// Writes an address of 4 or 16 bytes, in the order of the wire.
    init(_ bytes: [UInt8], port: Int) {
        isV4 = bytes.count == 4
        text = Self.text(bytes, port)
        mappedText = Self.text(isV4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes, port)
    }

    /// Each four bytes as one number of this machine's byte order, then the port.
    private static func text(_ bytes: [UInt8], _ port: Int) -> String {
        let words = stride(from: 0, to: bytes.count, by: 4).map { start in
            UInt32(bigEndian: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return words.map { hexadecimal($0, digits: 8) }.joined() + ":" + hexadecimal(UInt32(port), digits: 4)
    }

    private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
#endif
