// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import Synchronization

#if canImport(Glibc)
import Glibc
private let (streamType, socketFlags) = (Int32(SOCK_STREAM.rawValue), Int32(SOCK_CLOEXEC.rawValue))
private let closeDescriptor = Glibc.close
#elseif canImport(Musl)
import Musl
private let (streamType, socketFlags) = (SOCK_STREAM, SOCK_CLOEXEC)
private let closeDescriptor = Musl.close
#else
import Darwin
private let (streamType, socketFlags) = (SOCK_STREAM, Int32(0))
private let closeDescriptor = Darwin.close
#endif
private let socketType = streamType | socketFlags

/// The listener's sockets: 127.0.0.1 and [::1] on one port, as far as both are available and safe.
///
/// [RFC 8252, 7.3](https://www.rfc-editor.org/rfc/rfc8252#section-7.3).
struct LoopbackSockets: Sendable {
    let port: Int
    /// The listener's host, as written in a URL.
    let host: String
    let listening: [Descriptor]

    /// Binds both addresses to the first possible port; nil if none is possible.
    ///
    /// Port 0 is any free one. Tests change the addresses to simulate machines that lack one.
    init?(ports: [Int], name: LoopbackRedirect.Host, v4: String = "127.0.0.1", v6: String = "::1") {
        // Held until the end, so that the system doesn't offer the same free port again.
        var refused: [Attempt] = []
        for port in ports {
            let v4 = Attempt(v4, port)
            let v6 = Attempt(v6, v4.port ?? port)
            // With `localhost` the browser may connect to either address: the process that holds the other one would
            // get the code.
            if !v4.hasFailed, !v6.hasFailed || name == .address, let port = v4.port ?? v6.port {
                (self.port, host) = (port, v4.port == nil ? "[::1]" : "127.0.0.1")
                listening = [v4, v6].compactMap(\.listening)
                return
            }
            refused += [v4, v6]
        }
        return nil
    }
}

/// An attempt to listen; without a socket, either it has failed or the machine lacks the address for everyone.
private struct Attempt {
    var listening: Descriptor?
    var port: Int?
    var hasFailed = false

    init(_ address: String, _ port: Int) {
        var (hints, list) = unsafe (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
        unsafe (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST | AI_NUMERICSERV, streamType)
        hasFailed = unsafe getaddrinfo(address, "\(port)", &hints, &list) != 0
        guard let found = unsafe list?.pointee else { return }
        defer { unsafe freeaddrinfo(list) }
        guard let listening = unsafe Descriptor(socket(found.ai_family, Descriptor.streamType, 0)),
            // A fixed port can be bound again at once, not a minute after its last connection has ended. No process can
            // listen on a port on which another one listens.
            listening.turnOn(SO_REUSEADDR, SOL_SOCKET),
            unsafe found.ai_family == AF_INET || listening.turnOn(IPV6_V6ONLY, Int32(IPPROTO_IPV6)),
            unsafe bind(listening.number, found.ai_addr, found.ai_addrlen) == 0, listen(listening.number, 128) == 0,
            let own = unsafe TCPEndpoint({ unsafe getsockname(listening.number, $0, $1) })
        else {
            hasFailed = ![EADDRNOTAVAIL, EAFNOSUPPORT].contains(errno)
            return
        }
        (self.listening, self.port) = (listening, own.port)
    }
}

/// A descriptor that never blocks, is not inherited by other programs, and is closed when released.
final class Descriptor: Sendable {
    /// The type of a socket that no program inherits: on Linux, not even one that another thread starts at that moment.
    static let streamType = socketType

    private let open: Mutex<Int32>
    /// The descriptor; -1 once it is closed.
    var number: Int32 { open.withLock { $0 } }

    /// Takes over the result of a call; nil if that has failed.
    init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        open = Mutex(number)
        _ = (fcntl(number, F_SETFD, FD_CLOEXEC), fcntl(number, F_SETFL, O_NONBLOCK))
    }

    deinit { close() }

    func close() {
        open.withLock { number in
            if number >= 0 { _ = closeDescriptor(number) }
            number = -1
        }
    }

    func turnOn(_ option: Int32, _ level: Int32) -> Bool {
        var yes: Int32 = 1
        return unsafe setsockopt(number, level, option, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
#endif
