// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Glibc)
import Glibc
private let datagramType = Int32(SOCK_DGRAM.rawValue)
private let typeFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
#elseif canImport(Musl)
import Musl
private let datagramType = SOCK_DGRAM
private let typeFlags = SOCK_CLOEXEC | SOCK_NONBLOCK
#endif

/// The socket on which the kernel reports every change of links, addresses and routes to any listener.
///
/// `netlink(7)`, `rtnetlink(7)`; described in [RFC 3549](https://www.rfc-editor.org/rfc/rfc3549).
struct RouteSocket: Sendable {
    /// The reason that the socket could not be opened.
    struct SocketError: Error, Equatable {
        /// The system call.
        let call: String
        /// The call's `errno`.
        let code: Int32
    }

    /// The result of reading the socket.
    enum Reading: Equatable {
        /// No message of the kernel.
        case nothing
        /// The network has changed.
        case change
        /// The socket no longer works.
        case failure
    }

    /// `RTMGRP_*`: links, and the addresses and routes of IPv4 and IPv6.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    /// The maximum number of messages read at once, so that a flood doesn't block the thread; the rest is reported
    /// again.
    private static let messagesAtOnce = 256

    /// The descriptor, which is nonblocking and not inherited by child processes.
    let number: Int32

    /// Opens the socket, which needs no permission.
    ///
    /// - Throws: ``SocketError`` if a sandbox forbids it or the process has too many open files.
    init() throws(SocketError) {
        // NETLINK_ROUTE is 0.
        let number = socket(AF_NETLINK, datagramType | typeFlags, 0)
        guard number >= 0 else { throw SocketError(call: "socket", code: errno) }
        // Port 0: the kernel chooses one.
        var address = NetlinkAddress(port: 0, groups: Self.groups)
        let bound = unsafe address.withSocketAddress { unsafe bind(number, $0, $1) }
        guard bound == 0 else {
            let fault = SocketError(call: "bind", code: errno)
            close(number)
            throw fault
        }
        self.number = number
    }

    /// Closes the socket; to be called once, after the last use.
    func end() {
        close(number)
    }

    /// Reads the available messages without waiting.
    func drain() -> Reading {
        var reading = Reading.nothing
        for _ in 0..<Self.messagesAtOnce {
            // An invalid sender, until the call writes the actual one.
            var sender = NetlinkAddress(port: .max)
            // The content doesn't matter: the rest of each message is dropped.
            var start: UInt64 = 0
            let count = unsafe sender.withSocketAddress { address, size in
                unsafe recvfrom(number, &start, MemoryLayout<UInt64>.size, 0, address, &size)
            }
            if count >= 0 {
                // A privileged process may send here too, so only the kernel's messages count.
                if sender.port == 0 { reading = .change }
            } else if errno == EAGAIN {
                return reading
            } else if errno == ENOBUFS {
                // The socket's buffer overflowed because too much has changed.
                reading = .change
            } else if errno != EINTR {
                return .failure
            }
        }
        return reading
    }
}
#endif
