// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
public import Foundation
internal import Glibc

/// A stream socket in the file system.
public final class UnixSocket: Sendable {
    private let descriptor: Int32

    private init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestSupportError("socket: error \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    /// Creates a socket that accepts connections and never sends anything.
    ///
    /// - Parameter url: The location of the new socket.
    /// - Returns: The socket. It listens until it is released.
    /// - Throws: ``TestSupportError`` if the path is too long or the system refuses.
    public static func mute(at url: URL) throws -> UnixSocket {
        let made = try UnixSocket()
        let bound = unsafe try withAddress(of: url) { unsafe bind(made.descriptor, $0, $1) }
        guard bound == 0, listen(made.descriptor, 64) == 0 else { throw TestSupportError("listen: error \(errno)") }
        return made
    }

    /// Whether a program has connected to this listening socket.
    public var isWanted: Bool {
        get throws {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&request, 1, 0)
            guard ready >= 0 else { throw TestSupportError("poll: error \(errno)") }
            return ready > 0
        }
    }

    /// Connects to a listening socket.
    ///
    /// - Parameter url: The socket's location.
    /// - Returns: The connection.
    /// - Throws: ``TestSupportError`` if the path is too long or the system refuses.
    static func connected(to url: URL) throws -> UnixSocket {
        let made = try UnixSocket()
        let connected = unsafe try withAddress(of: url) { unsafe connect(made.descriptor, $0, $1) }
        guard connected == 0 else { throw TestSupportError("connect: error \(errno)") }
        return made
    }

    func send(_ bytes: [UInt8]) throws {
        let sent = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
        guard sent == bytes.count else { throw TestSupportError("send: error \(errno)") }
    }

    func receive(upTo count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = unsafe bytes.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard received >= 0 else { throw TestSupportError("recv: error \(errno)") }
        return Array(bytes.prefix(received))
    }

    private static func withAddress<Result>(
        of url: URL,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) throws -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(url.path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.count < room else { throw TestSupportError("\(url.path) is too long for a socket") }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
#endif
