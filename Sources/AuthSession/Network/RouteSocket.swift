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

/// Where the kernel tells of every change to links, addresses and routes, to anybody who listens.
///
/// `netlink(7)`, `rtnetlink(7)`; in words, [RFC 3549](https://www.rfc-editor.org/rfc/rfc3549).
struct RouteSocket: Sendable {
    /// Why there is none.
    struct Fault: Error, Equatable {
        /// The system call.
        let call: String
        /// What it said: an `errno`.
        let code: Int32
    }

    /// What there was to read.
    enum Reading: Equatable {
        /// Nothing of the kernel's.
        case nothing
        /// The network has changed.
        case change
        /// The socket is of no use any more.
        case failure
    }

    /// `RTMGRP_*`: links, and the addresses and routes of IPv4 and IPv6.
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    /// So much at a time: what floods the socket does not keep a thread, as the rest is told again.
    private static let messagesAtOnce = 256

    /// The descriptor; does not block, and no other program inherits it.
    let number: Int32

    /// Opens it, which nobody needs a permission for.
    ///
    /// - Throws: ``Fault`` where a sandbox forbids it or the process has too many files open.
    init() throws(Fault) {
        // NETLINK_ROUTE is 0.
        let number = socket(AF_NETLINK, datagramType | typeFlags, 0)
        guard number >= 0 else { throw Fault(call: "socket", code: errno) }
        // Port 0: the kernel chooses one.
        var address = NetlinkAddress(port: 0, groups: Self.groups)
        let bound = unsafe address.withSocketAddress { unsafe bind(number, $0, $1) }
        guard bound == 0 else {
            let fault = Fault(call: "bind", code: errno)
            close(number)
            throw fault
        }
        self.number = number
    }

    /// Closes it; once, and by whom nothing else uses it any more.
    func end() {
        close(number)
    }

    /// Reads what is there, and does not wait.
    func drain() -> Reading {
        var reading = Reading.nothing
        for _ in 0..<Self.messagesAtOnce {
            // Nobody's, until the call writes whose it is.
            var sender = NetlinkAddress(port: .max)
            // What has changed is not asked: of each message the rest is dropped.
            var start: UInt64 = 0
            let count = unsafe sender.withSocketAddress { address, size in
                unsafe recvfrom(number, &start, MemoryLayout<UInt64>.size, 0, address, &size)
            }
            if count >= 0 {
                // Another process may send here too, where it is privileged: only the kernel's word counts.
                if sender.port == 0 { reading = .change }
            } else if errno == EAGAIN {
                return reading
            } else if errno == ENOBUFS {
                // More has changed than there was room for.
                reading = .change
            } else if errno != EINTR {
                return .failure
            }
        }
        return reading
    }
}
#endif
