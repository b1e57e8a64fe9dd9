// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
private let streamType = SOCK_STREAM
#elseif canImport(Glibc)
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
import Musl
private let streamType = SOCK_STREAM
#elseif canImport(Android)
import Android
private let streamType = SOCK_STREAM
#endif

/// The system calls for sockets on the loopback interface.
///
/// All of them block.
enum LoopbackSocket {
    /// A failed system call.
    struct SocketError: Error, CustomStringConvertible {
        let call: String
        let code: Int32

        var description: String { "\(call) failed with system error \(code)" }
    }

    /// Opens a socket that listens on a port of the system's choice.
    static func openListener(backlog: Int32) throws -> (descriptor: Int32, port: Int) {
        // If a peer disconnects, the write fails, and no signal ends the process.
        signal(SIGPIPE, SIG_IGN)
        let descriptor = try make()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // Safe: the pointer is to a sockaddr_in, whose size goes with it, and is used within the call.
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard result else {
            defer { close(descriptor) }
            throw SocketError(call: "listening", code: errno)
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Accepts the next connection; nil once the listener has ended.
    static func nextConnection(_ listener: Int32) -> Int32? {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR || errno == ECONNABORTED else { return nil }
        }
    }

    /// Connects to a port; returns once connected, or once the connection is requested.
    static func openConnection(port: Int, waits: Bool) throws -> Int32 {
        let descriptor = try make()
        if !waits { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        var address = loopback(port: port)
        // Safe: for the same reason as in ``openListener(backlog:)``.
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 || (!waits && errno == EINPROGRESS) else {
            defer { close(descriptor) }
            throw SocketError(call: "connecting", code: errno)
        }
        return descriptor
    }

    /// Receives some bytes; an empty array at the end.
    static func receive(_ descriptor: Int32, atMost count: Int) throws -> [UInt8] {
        var fault: Int32?
        // Safe: at most the buffer's size is read into it, and only the bytes read count as initialized.
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            var result = -1
            repeat { result = unsafe recv(descriptor, buffer.baseAddress, count, 0) } while result < 0 && errno == EINTR
            if result < 0 { fault = errno }
            initialized = max(0, result)
        }
        if let fault { throw SocketError(call: "reading", code: fault) }
        return bytes
    }

    /// Waits until as many bytes as fit wait to be received: for a while, their number has not grown.
    static func waitUntilFull(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_000_000)
        var (count, looks) = (0, 0)
        for _ in 0..<6_000 where looks < 5 {
            usleep(10_000)
            // Safe: no more than the buffer's size is received into it.
            let received = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK | MSG_DONTWAIT))
            }
            looks = received > 0 && received == count ? looks + 1 : 0
            count = received
        }
    }

    /// Sends all bytes.
    static func deliver(_ bytes: some Sequence<UInt8>, to descriptor: Int32) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            // Safe: the buffer is read within the call that lends it.
            let sent = unsafe rest.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
            if sent < 0 && errno == EINTR { continue }
            guard sent > 0 else { throw SocketError(call: "writing", code: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Ends both directions; a blocked read or write returns.
    static func end(_ descriptor: Int32) { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Closes the descriptor.
    static func release(_ descriptor: Int32) { close(descriptor) }

    private static func make() throws -> Int32 {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
