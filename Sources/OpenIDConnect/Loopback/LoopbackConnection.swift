// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
#if canImport(Glibc)
import Glibc
private let (noSignal, options) = (Int32(MSG_NOSIGNAL), [Int32]())
#elseif canImport(Musl)
import Musl
private let (noSignal, options) = (MSG_NOSIGNAL, [Int32]())
#else
import Darwin
private let (noSignal, options) = (Int32(0), [SO_NOSIGPIPE])
#endif

/// The limits of the connections: every process of this machine can connect, and none may keep the browser out.
package struct LoopbackLimits: Sendable {
    /// The number of simultaneous connections; a new one replaces the oldest that has sent no request.
    package var connections = 8
    /// The time until a request's head must be complete, however active the connection is.
    package var head: Duration = .seconds(10)
    /// The time to read the response and close the connection, by which the caller is notified at the latest.
    package var response: Duration = .seconds(1)
    /// The maximum size of a request's head in bytes.
    package var headSize = 16 * 1_024
    /// The number of further bytes that are read and discarded before the connection is closed.
    package var excess = 64 * 1_024
    /// The maximum number of header fields.
    package var fieldCount = 100

    /// Creates the default limits.
    package init() {}
}

/// One connection of the listener: reads a request's head, responds, and waits until the client closes the connection.
///
/// Confined to the listener's thread.
final class LoopbackConnection {
    private let socket: Descriptor
    private let peer: TCPEndpoint
    private let limits: LoopbackLimits
    private var parser: RequestHeadParser
    private var received = 0
    private var unsent: ArraySlice<UInt8> = []
    private var announce: (@Sendable () -> Void)?
    private(set) var hasResponse = false
    private(set) var isOver = false
    /// The end of the connection, not renewed with each byte: a client that sends slowly could stay forever.
    private(set) var deadline: ContinuousClock.Instant

    /// Accepts a connection that waits; nil if none waits or the system lacks a descriptor.
    init?(from listening: Descriptor, _ limits: LoopbackLimits) {
        var number: Int32 = -1
        let peer = unsafe TCPEndpoint { (address, size) in
            number = unsafe accept(listening.number, address, size)
            return number
        }
        guard let socket = Descriptor(number), let peer, options.allSatisfy({ socket.turnOn($0, SOL_SOCKET) }) else {
            return nil
        }
        (self.socket, self.peer, self.limits) = (socket, peer, limits)
        parser = RequestHeadParser(limits)
        deadline = .now + limits.head
    }

    // Not earlier: now the browser has its page, or will not read it. The notified process may exit at once.
    deinit { announce?() }

    /// The events that the connection waits for.
    var events: pollfd {
        pollfd(fd: socket.number, events: Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
    }

    /// Receives what has arrived, and sends what fits.
    ///
    /// Reads on after the response: closing a connection with unread bytes resets it, and the page would be lost.
    func proceed(_ router: CallbackRouter) {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while !isOver {
            let count = unsafe recv(socket.number, &chunk, chunk.count, 0)
            if count < 0, [EAGAIN, EINTR].contains(errno) { break }
            received += count
            // At the end of the input the response is sent below, at once: a page is smaller than the system's buffer.
            isOver = count <= 0 || received > limits.headSize + limits.excess
            read(chunk.prefix(max(count, 0)), router)
        }
        guard !unsent.isEmpty else { return }
        let count = unsafe unsent.withUnsafeBytes { unsafe send(socket.number, $0.baseAddress, $0.count, noSignal) }
        if count < 0, ![EAGAIN, EINTR].contains(errno) { isOver = true }
        unsent.removeFirst(max(count, 0))
        // Only the output: the client closes its side once it has read the page.
        if unsent.isEmpty { shutdown(socket.number, Int32(SHUT_WR)) }
    }

    /// Reads a head, which alone decides the response; content and pipelined requests are ignored.
    private func read(_ bytes: ArraySlice<UInt8>, _ router: CallbackRouter) {
        do throws(RequestHead.Refusal) {
            for byte in bytes where !hasResponse {
                guard try parser.read(byte) else { continue }
                respond(router.response(to: parser.head) { owner })
            }
        } catch {
            // A malformed request ends only its own connection.
            respond(router.response(to: error))
        }
    }

    private var owner: PeerOwner {
        let own = unsafe TCPEndpoint { unsafe getsockname(socket.number, $0, $1) }
        return own.map { PeerOwner(ofPeer: peer, at: $0) } ?? .untrusted
    }

    private func respond(_ response: LoopbackResponse) {
        hasResponse = true
        announce = response.announce
        unsent = response.bytes(withBody: !parser.isHEAD)[...]
        deadline = .now + limits.response
    }
}
#endif
