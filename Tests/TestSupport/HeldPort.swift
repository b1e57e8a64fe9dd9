// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc

/// A TCP port of 127.0.0.1 that the system gives to no other program while this value exists.
///
/// A server that is started on it may stop and start again. Connections are refused meanwhile. If nobody holds the port
/// of a stopped server, the server of another test may get it, and would answer in place of the stopped one.
public final class HeldPort: Sendable {
    /// The number of the port.
    public let number: Int
    private let descriptor: Int32

    /// Finds a free port and holds it.
    ///
    /// - Throws: ``TestSupportError`` if the system refuses.
    public init() throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw TestSupportError("socket: error \(errno)") }
        // Lets a server, which has the same option, listen on the port. The system still does not choose the port for
        // others.
        var isShared: Int32 = 1
        let option = unsafe setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(made, $0, size) == 0 && getsockname(made, $0, &size) == 0
            }
        }
        guard option == 0, isBound else {
            let code = errno
            close(made)
            throw TestSupportError("setsockopt or bind: error \(code)")
        }
        descriptor = made
        number = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}
#endif
