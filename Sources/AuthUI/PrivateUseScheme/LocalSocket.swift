// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
#if canImport(Glibc)
import Glibc
private let streamType = Int32(SOCK_STREAM.rawValue)
private let typeFlags = Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
private let noSignal = Int32(MSG_NOSIGNAL)
private let shutdownBoth = Int32(SHUT_RDWR)
#elseif canImport(Musl)
import Musl
private let streamType = SOCK_STREAM
private let typeFlags = SOCK_CLOEXEC | SOCK_NONBLOCK
private let noSignal = MSG_NOSIGNAL
private let shutdownBoth = SHUT_RDWR
#endif

/// A nonblocking stream socket in the file system, closed when this object is released.
///
/// `unix(7)`. Its calls that wait are for a thread that may block.
final class LocalSocket: Sendable {
    /// The reason that a call failed.
    struct SocketError: Error {
        /// The system call.
        let call: StaticString
        /// The call's `errno`.
        let code: Int32
    }

    let number: Int32

    private init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }

    /// Opens a socket without an address.
    ///
    /// - Throws: ``SocketError``.
    convenience init() throws(SocketError) {
        let number = socket(AF_UNIX, streamType | typeFlags, 0)
        guard number >= 0 else { throw SocketError(call: "socket", code: errno) }
        self.init(number)
    }

    /// Opens a socket that listens in a folder.
    ///
    /// - Parameters:
    ///   - name: The socket's name in the folder.
    ///   - folder: The folder's path, of any length.
    ///   - backlog: The number of connections that may wait.
    /// - Throws: ``SocketError``.
    convenience init(listening name: String, in folder: String, backlog: Int32) throws(SocketError) {
        try self.init()
        let bound = unsafe try Self.withAddress(of: name, in: folder) { [number] in unsafe bind(number, $0, $1) }
        guard bound == 0 else { throw SocketError(call: "bind", code: errno) }
        guard listen(number, backlog) == 0 else { throw SocketError(call: "listen", code: errno) }
    }

    /// Opens a socket that is connected to one in a folder.
    ///
    /// - Parameters:
    ///   - name: The listening socket's name in the folder.
    ///   - folder: The folder's path, of any length.
    /// - Throws: ``SocketError`` (`ECONNREFUSED`: its process has ended; `EAGAIN`: too many connections wait).
    convenience init(connectedTo name: String, in folder: String) throws(SocketError) {
        try self.init()
        let result = unsafe try Self.withAddress(of: name, in: folder) { [number] in unsafe connect(number, $0, $1) }
        guard result == 0 else { throw SocketError(call: "connect", code: errno) }
    }

    /// Accepts a connection that waits.
    ///
    /// - Returns: The connection, or nil if none waits.
    func accepted() -> LocalSocket? {
        // Swift's modules of the C library lack `accept4`, which would set the flags.
        let connection = accept(number, nil, nil)
        guard connection >= 0 else { return nil }
        let socket = LocalSocket(connection)
        guard fcntl(connection, F_SETFD, FD_CLOEXEC) == 0, fcntl(connection, F_SETFL, O_NONBLOCK) == 0 else {
            return nil
        }
        return socket
    }

    /// Whether the process at the other end is this user's.
    ///
    /// `SO_PEERCRED` of `unix(7)`: as it was when the process connected or listened.
    var isOwnPeer: Bool {
        // `struct ucred`: process, user and group, which Swift's modules of the C library lack.
        var credentials: (pid: Int32, user: UInt32, group: UInt32) = (0, .max, .max)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        // Safe: the call writes at most the given number of bytes.
        let result = unsafe getsockopt(number, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
        return result == 0 && credentials.user == geteuid()
    }

    /// Sends bytes at once.
    ///
    /// - Parameter bytes: The bytes, fewer than a socket's buffer holds.
    /// - Returns: Whether they were sent whole. False if the other end has closed the connection.
    func send(_ bytes: [UInt8]) -> Bool {
        // Safe: the buffer is read only within the call that lends it.
        unsafe bytes.withUnsafeBytes { buffer in
            #if canImport(Glibc)
            unsafe Glibc.send(number, buffer.baseAddress, buffer.count, noSignal) == buffer.count
            #else
            unsafe Musl.send(number, buffer.baseAddress, buffer.count, noSignal) == buffer.count
            #endif
        }
    }

    /// Receives bytes up to and including one that ends them.
    ///
    /// - Parameters:
    ///   - end: The byte that ends them.
    ///   - limit: The maximum number of bytes before it.
    ///   - deadline: The time at which it gives up.
    /// - Returns: The bytes before `end`; nil if the connection or the time ended first, or if there were too many.
    func receive(endingWith end: UInt8, atMost limit: Int, until deadline: ContinuousClock.Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= limit {
            // What has arrived is received also if the deadline passed before a thread was free.
            let rest = max(ContinuousClock.now.duration(to: deadline), .zero)
            var poller = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            let milliseconds = rest.components.seconds * 1_000 + rest.components.attoseconds / 1_000_000_000_000_000
            guard unsafe poll(&poller, 1, Int32(clamping: milliseconds)) >= 0 || errno == EINTR else { return nil }
            // Safe: the call writes at most the buffer's size.
            let count = unsafe recv(number, &buffer, buffer.count, 0)
            if count > 0 {
                let part = buffer[..<count]
                bytes += part
                guard let last = part.firstIndex(of: end) else { continue }
                let length = bytes.count - count + last
                return length <= limit ? Array(bytes[..<length]) : nil
            }
            guard count < 0, errno == EAGAIN || errno == EINTR, rest > .zero else { return nil }
        }
        return nil
    }

    /// Ends the connection, so that a call that waits on it returns.
    func end() {
        _ = shutdown(number, shutdownBoth)
    }

    /// Passes the address of a socket in a folder to a system call.
    ///
    /// An address has room for 107 bytes, and a folder's path may be longer: the folder is named by its descriptor.
    private static func withAddress(
        of name: String,
        in folder: String,
        _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SocketError) -> Int32 {
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw SocketError(call: "open", code: errno) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array("/proc/self/fd/\(descriptor)/\(name)".utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SocketError(call: "bind", code: ENAMETOOLONG)
        }
        // Safe: the path is shorter than the field, whose other bytes are 0.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Safe: the call gets the size in bytes, and the pointer is used only within it.
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe call($0, size) }
        }
    }
}
#endif
