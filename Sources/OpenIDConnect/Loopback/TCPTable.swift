// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && os(Linux)
import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The kernel's table of TCP connections, one socket per line.
///
/// [proc_pid_net(5)](https://man7.org/linux/man-pages/man5/proc_pid_net.5.html).
struct TCPTable {
    /// A socket.
    struct Row: Equatable {
        let isEstablished: Bool
        /// The effective user that created the socket; 0, too, for some closed sockets.
        let user: uid_t
        /// The inode; 0 for a socket that its process has closed.
        let inode: UInt64
    }

    /// An error of reading a table.
    struct Unreadable: Error {
        let code: Int32

        /// Whether the system denies this process the table, as opposed to a temporary failure.
        var isForbidden: Bool { [ENOENT, EACCES, EPERM, ENOTDIR].contains(code) }
    }

    let path: String

    /// Finds the socket at one end of a connection.
    ///
    /// - Parameters:
    ///   - source: The socket's own address, in the table's format.
    ///   - target: The address that the socket is connected to.
    /// - Returns: The socket; nil if the table has no such line.
    /// - Throws: ``Unreadable``.
    func row(from source: String, to target: String) throws(Unreadable) -> Row? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Unreadable(code: errno) }
        defer { close(file) }
        let wanted = Array("\(source) \(target) ".utf8)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var rest: [UInt8] = []
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Unreadable(code: errno) }
            guard count > 0 else { return nil }
            rest += chunk[..<count]
            var start = 0
            while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
                if let row = Self.row(rest[start..<end], wanted) { return row }
                start = end + 1
            }
            rest.removeFirst(start)
        }
    }

    /// Reads a line `sl: source target st queues timer retrnsmt uid timeout inode ...`; returns nil for other
    /// addresses.
    private static func row(_ line: ArraySlice<UInt8>, _ wanted: [UInt8]) -> Row? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let ends = line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") }
        guard ends.starts(with: wanted) else { return nil }
        // After the addresses: st, tx_queue:rx_queue, tr:tm->when, retrnsmt, uid, timeout, inode.
        let fields = ends.dropFirst(wanted.count).split(separator: UInt8(ascii: " "))
        guard fields.count > 6, let user = uid_t(String(decoding: fields[4], as: UTF8.self)),
            let inode = UInt64(String(decoding: fields[6], as: UTF8.self))
        else { return nil }
        return Row(isEstablished: fields[0].elementsEqual("01".utf8), user: user, inode: inode)
    }
}

/// An address and a port, in the format of the kernel's tables of TCP connections.
///
/// [proc_pid_net(5)](https://man7.org/linux/man-pages/man5/proc_pid_net.5.html).
struct TCPEndpoint {
    let isV4: Bool
    /// The text of this endpoint, such as `0100007F:1F90` for 127.0.0.1 and port 8080 on a little-endian machine.
    let text: String
    /// The text of an IPv4 address mapped into IPv6, `::ffff:127.0.0.1`.
    let mappedText: String

    /// Formats an address; nil if it is neither IPv4 nor IPv6.
    init?(_ address: SocketAddress) {
        // In `sockaddr_in`, the address follows family and port; in `sockaddr_in6`, the flow information, too.
        let place: Range<Int>
        switch address {
        case .v4: place = 4..<8
        case .v6: place = 8..<24
        case .unixDomainSocket: return nil
        }
        guard let port = address.port else { return nil }
        // Safe: the bytes are copied within the call that lends the pointer.
        let bytes = unsafe address.withSockAddr { pointer, size in
            unsafe Array(UnsafeRawBufferPointer(start: pointer, count: size))
        }
        self.init(Array(bytes[place]), port: port)
    }

    /// Formats an address of 4 or 16 bytes in network byte order.
    init(_ bytes: [UInt8], port: Int) {
        isV4 = bytes.count == 4
        text = Self.text(bytes, port)
        mappedText = Self.text(isV4 ? [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes : bytes, port)
    }

    /// Formats each four bytes as a number in this machine's byte order, then the port.
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
