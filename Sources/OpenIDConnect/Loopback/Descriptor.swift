// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import Synchronization

#if canImport(Glibc)
import Glibc
private let socketType = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
private let (noSignal, options) = (Int32(MSG_NOSIGNAL), [Int32]())
#elseif canImport(Musl)
import Musl
private let socketType = SOCK_STREAM | SOCK_CLOEXEC
private let (noSignal, options) = (MSG_NOSIGNAL, [Int32]())
#else
import Darwin
private let socketType = SOCK_STREAM
private let (noSignal, options) = (Int32(0), [SO_NOSIGPIPE])
#endif

/// A socket that never blocks, is not inherited by other programs, and is closed when released.
final class Descriptor: Sendable {
    private let open: Atomic<Int32>
    /// The number; -1 once it is closed.
    var number: Int32 { open.load(ordering: .sequentiallyConsistent) }
    var own: TCPEndpoint? { unsafe endpoint(getsockname) }
    /// The other end; nil if it has broken the connection off.
    var peer: TCPEndpoint? { unsafe endpoint(getpeername) }

    /// Takes over the result of a call; nil if that has failed.
    private init?(_ number: Int32) {
        guard number >= 0 else { return nil }
        open = Atomic(number)
        _ = (fcntl(number, F_SETFD, FD_CLOEXEC), fcntl(number, F_SETFL, O_NONBLOCK))
        guard options.allSatisfy({ turnOn($0, SOL_SOCKET) }) else { return nil }
    }

    deinit { closeNow() }

    /// Listens; without a socket, either that has failed or the machine lacks the address for everyone.
    static func listening(on address: String, _ port: Int) -> (Descriptor?, hasFailed: Bool) {
        var (hints, list) = unsafe (addrinfo(), UnsafeMutablePointer<addrinfo>?.none)
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        guard unsafe getaddrinfo(address, "\(port)", &hints, &list) == 0, let found = unsafe list?.pointee else {
            return (nil, true)
        }
        defer { unsafe freeaddrinfo(list) }
        // A fixed port can be bound again at once, not a minute after its last connection has ended. No process can
        // listen on a port on which another one listens.
        if let new = unsafe Descriptor(socket(found.ai_family, socketType, 0)), new.turnOn(SO_REUSEADDR, SOL_SOCKET),
            unsafe found.ai_family == AF_INET || new.turnOn(IPV6_V6ONLY, Int32(IPPROTO_IPV6)),
            unsafe bind(new.number, found.ai_addr, found.ai_addrlen) == 0, listen(new.number, 128) == 0
        {
            return (new, false)
        }
        return (nil, ![EADDRNOTAVAIL, EAFNOSUPPORT].contains(errno))
    }

    private func endpoint(
        _ call: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> TCPEndpoint? {
        var (bytes, size) = ([UInt8](repeating: 0, count: 128), socklen_t(128))
        // Safe: the call gets the size of the storage, which is aligned for every address.
        let result = unsafe bytes.withUnsafeMutableBytes { bytes in
            let start = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return unsafe start.map { unsafe call(number, $0, &size) }
        }
        guard result == 0 else { return nil }
        // The port follows the family; the address follows the port or, in IPv6, the flow information.
        let isV4 = size == MemoryLayout<sockaddr_in>.size
        return TCPEndpoint(Array(bytes[isV4 ? 4..<8 : 8..<24]), port: Int(bytes[2]) << 8 | Int(bytes[3]))
    }

    static func pair() -> (Descriptor, Descriptor)? {
        var numbers: [Int32] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, socketType, 0, &numbers)
        guard let one = Descriptor(numbers[0]), let other = Descriptor(numbers[1]) else { return nil }
        return (one, other)
    }

    func closeNow() {
        let number = open.exchange(-1, ordering: .sequentiallyConsistent)
        if number >= 0 { close(number) }
    }

    private func turnOn(_ option: Int32, _ level: Int32) -> Bool {
        var yes: Int32 = 1
        return unsafe setsockopt(number, level, option, &yes, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// The event of input alone; a lost socket has others.
    static let input = Int16(POLLIN)

    /// Waits for input, and returns each socket's events, 0 for none; nil if the system refuses.
    static func events(of sockets: [Descriptor], until deadline: ContinuousClock.Instant?) -> [Int16]? {
        var events = sockets.map { pollfd(fd: $0.number, events: input, revents: 0) }
        let wait = deadline.map { max(0, ContinuousClock.now.duration(to: $0) / .milliseconds(1)).rounded(.up) }
        let count = unsafe poll(&events, nfds_t(events.count), wait.map { Int32(clamping: Int($0)) } ?? -1)
        return count < 0 && errno != EINTR ? nil : events.map(\.revents)
    }

    /// Accepts a connection; nil if none waits or the system lacks a descriptor.
    func accepted() -> Descriptor? {
        let accepted = Descriptor(accept(number, nil, nil))
        // The connection keeps waiting, and the socket would be ready again at once.
        if accepted == nil, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { usleep(50_000) }
        return accepted
    }

    /// Returns what has arrived: nil if nothing has, empty after the end or a failure.
    func received() -> ArraySlice<UInt8>? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe recv(number, &bytes, bytes.count, 0)
        return count < 0 && [EAGAIN, EINTR].contains(errno) ? nil : bytes.prefix(max(count, 0))
    }

    /// Sends bytes at once, and returns whether the system has taken all.
    func sends(_ bytes: [UInt8]) -> Bool { unsafe send(number, bytes, bytes.count, noSignal) == bytes.count }

    /// Ends the output; the other end sees it, and the input goes on.
    func endOutput() { shutdown(number, Int32(SHUT_WR)) }
}
#endif
