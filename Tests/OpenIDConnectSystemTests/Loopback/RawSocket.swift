// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import Glibc

/// A failed socket call, or an invalid response.
struct RawSocketError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A TCP socket on the loopback interface.
final class RawSocket: Sendable {
    /// An address of this machine.
    enum Family: Sendable {
        case v4
        case v6
        /// 127.0.0.2, which is this machine's as well, but has no listener.
        case other
    }

    private let family: Family
    private let descriptor: Int32

    init(_ family: Family) throws {
        self.family = family
        let domain = family == .v6 ? AF_INET6 : AF_INET
        descriptor = socket(domain, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw RawSocketError("socket: error \(errno)") }
        // Data that never arrives fails the test instead of blocking it.
        var timeout = timeval(tv_sec: 40, tv_usec: 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, length)
    }

    deinit {
        close(descriptor)
    }

    /// Returns a socket that listens on a port, or on any free one, as a foreign server would.
    static func listening(on port: Int = 0, _ family: Family) throws -> RawSocket {
        let made = try RawSocket(family)
        // Connections that have just ended must not count as listeners.
        var yes: Int32 = 1
        unsafe setsockopt(made.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe made.withAddress(port, { unsafe bind(made.descriptor, $0, $1) }) == 0,
            listen(made.descriptor, 1) == 0
        else { throw RawSocketError("port \(port): error \(errno)") }
        return made
    }

    func connect(to port: Int) throws {
        guard unsafe withAddress(port, { unsafe Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw RawSocketError("connect to \(port): error \(errno)")
        }
    }

    /// The port that the socket is bound to.
    var port: Int {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(descriptor, $0, &length)
            }
        }
        // Valid for both families: the port has the same offset.
        return Int(UInt16(bigEndian: address.sin6_port))
    }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw RawSocketError("send: error \(errno)") }
            rest = rest.dropFirst(sent)
        }
    }

    /// Returns the next bytes; an empty array at the end, nil if the peer broke the connection off.
    func receive() throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let received = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if received < 0, errno == ECONNRESET { return nil }
        guard received >= 0 else { throw RawSocketError("recv: error \(errno)") }
        return Array(bytes.prefix(received))
    }

    func isReadable(within time: Duration) throws -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let ready = unsafe Glibc.poll(&poll, 1, Int32(time / .milliseconds(1)))
        guard ready >= 0 else { throw RawSocketError("poll: error \(errno)") }
        return ready > 0
    }

    func endSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        switch family {
        case .v4, .other:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(family == .v4 ? 0x7F00_0001 : 0x7F00_0002).bigEndian
            return unsafe withRebound(&address, body)
        case .v6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = UInt16(port).bigEndian
            address.sin6_addr = in6addr_loopback
            return unsafe withRebound(&address, body)
        }
    }

    private func withRebound<Address>(
        _ address: inout Address,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
}
#endif
