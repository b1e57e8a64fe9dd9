// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The sockets of libcurl's connections, for the loop's thread alone.
///
/// libcurl takes what a server has sent on an idle connection, such as a 408, for the response to the next request:
/// every request after it would get another's response. Its newer versions refuse such a connection; this does for all.
final class CurlSockets {
    /// The local port of each open socket, by descriptor; zero before its first request.
    private var ports: [Int32: Int32] = [:]

    /// Opens a socket that no child process inherits: the connection may carry tokens.
    func open(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
        let descriptor = socket(family, type | Int32(SOCK_CLOEXEC.rawValue), protocolNumber)
        if descriptor >= 0 { ports[descriptor] = 0 }
        return descriptor
    }

    func release(_ descriptor: Int32) -> Int32 {
        ports[descriptor] = nil
        return close(descriptor)
    }

    /// Notes the local port of the connection that came of some sockets.
    ///
    /// libcurl keeps one and closes the others. If others are open, none gets the port, and the connection is refused
    /// when it is used again.
    func note(_ port: Int32, of opened: [Int32]) {
        let open = opened.filter { ports[$0] != nil }
        if open.count == 1 { ports[open[0]] = port }
    }

    /// Whether nothing has come on the connection from a local port, neither bytes nor its end.
    ///
    /// Connections to two servers may share a port. Then both are examined.
    func isSilent(_ port: Int32) -> Bool {
        var events = ports.filter { $0.value == port }.map { pollfd(fd: $0.key, events: Int16(POLLIN), revents: 0) }
        return unsafe !events.isEmpty && poll(&events, nfds_t(events.count), 0) == 0
    }
}
#endif
