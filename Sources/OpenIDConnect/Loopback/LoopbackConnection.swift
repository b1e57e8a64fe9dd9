// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
/// The limits of the connections: every process of this machine can connect, and none may keep the browser out.
struct LoopbackLimits: Sendable {
    /// The number of simultaneous connections; a new one replaces the oldest that has sent no request.
    var connections = 8
    /// The time until a request's head must be complete, however active the connection is.
    var head: Duration = .seconds(10)
    /// The time to read the response and close the connection, by which the caller is notified at the latest.
    var response: Duration = .seconds(1)
    var headSize = 16 * 1_024
    /// The bytes of a request that are read at most, so that its sender gets to read the response: a browser sends up to
    /// 180 cookies of 4 KiB.
    var size = 1_024 * 1_024
    var fieldCount = 100
}

/// One connection of the listener: one request, one response.
final class LoopbackConnection {
    enum Phase {
        /// The head of the request is awaited.
        case request
        /// The response is sent. Unread bytes would reset the connection, and the page be lost: more is read, within
        /// bounds, and discarded, until the client closes the connection.
        case response
        /// The connection is to be closed.
        case over
    }

    private let socket: Descriptor
    private var phase = Phase.request
    /// The end of the phase, not renewed with each byte: a client that sends slowly could stay forever.
    private var deadline: ContinuousClock.Instant
    private let limits: LoopbackLimits
    private var parser: RequestHeadParser
    private var size = 0
    private var announce: (@Sendable () -> Void)?

    private init(_ socket: Descriptor, _ limits: LoopbackLimits) {
        (self.socket, self.limits, deadline) = (socket, limits, .now + limits.head)
        parser = RequestHeadParser(limits)
    }

    // Not earlier: now the browser has its page, or will not read it. The notified process may exit at once.
    deinit { announce?() }

    /// Reads what has arrived, and responds as soon as the head is complete or refused.
    private func proceed(_ router: CallbackRouter) {
        while phase != .over, let bytes = socket.received() {
            if phase == .request { read(bytes, router) }
            size += bytes.count
            if bytes.isEmpty || size > limits.size { phase = .over }
        }
    }

    private func read(_ bytes: ArraySlice<UInt8>, _ router: CallbackRouter) {
        do throws(RequestHead.Refusal) {
            for byte in bytes where try parser.read(byte) {
                return respond(router.response(to: parser.head) { owner })
            }
        } catch {
            // A malformed request ends only its own connection.
            respond(router.response(to: error))
        }
    }

    private var owner: PeerOwner {
        guard let peer = socket.peer, let own = socket.own else { return .untrusted }
        return PeerOwner(ofPeer: peer, at: own)
    }

    private func respond(_ response: LoopbackResponse) {
        announce = response.announce
        deadline = .now + limits.response
        // The system's buffer is larger than a response.
        phase = socket.sends(response.bytes(withBody: !parser.isHEAD)) ? .response : .over
        socket.endOutput()
    }
}

extension LoopbackConnection {
    /// Serves connections until another socket has input, which wakes this thread, or a listening socket is lost.
    static func serve(
        _ sockets: [Descriptor],
        _ router: CallbackRouter,
        _ limits: LoopbackLimits,
        until wakeUp: Descriptor
    ) {
        // The oldest first.
        var connections: [LoopbackConnection] = []
        while true {
            let polled = [wakeUp] + sockets + connections.map(\.socket)
            let events = Descriptor.events(of: polled, until: connections.map(\.deadline).min())
            guard let events, events[0] == 0 else { return }
            // Requests come before new connections, which could take their places.
            for (connection, event) in zip(connections, events.dropFirst(1 + sockets.count)) where event != 0 {
                connection.proceed(router)
            }
            connections.removeAll { $0.phase == .over || $0.deadline <= .now }
            for (socket, event) in zip(sockets, events.dropFirst()) where event != 0 {
                guard event == Descriptor.input else { return }
                guard let accepted = socket.accepted() else { continue }
                // A new connection is never refused for the number of others: a process that opens connections
                // endlessly loses its own.
                if connections.count >= limits.connections {
                    connections.remove(at: connections.firstIndex { $0.phase == .request } ?? 0)
                }
                connections.append(LoopbackConnection(accepted, limits))
                // A request that has arrived already is read before another connection can take its place.
                connections.last?.proceed(router)
                connections.removeAll { $0.phase == .over }
            }
        }
    }
}
#endif
