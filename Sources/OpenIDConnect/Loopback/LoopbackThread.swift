// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The listener's thread, which closes all sockets and ends once this object is stopped or released.
final class LoopbackThread: Sendable {
    /// The end of the thread; all sockets are closed.
    let end = Promise<Void>()
    /// Two connected sockets; both are kept, because a write that nobody can read would end the process.
    private let wakeUp: Descriptor, waker: Descriptor

    /// Starts the thread; nil if the system lacks a descriptor.
    init?(_ sockets: LoopbackSockets, _ router: CallbackRouter, _ limits: LoopbackLimits) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Descriptor.streamType, 0, &ends) == 0, let wakeUp = Descriptor(ends[0]),
            let waker = Descriptor(ends[1])
        else {
            return nil
        }
        (self.wakeUp, self.waker) = (wakeUp, waker)
        // A queue of its own has a thread of its own.
        DispatchQueue(label: "sallyport.loopback").async { [end] in
            Self.serve(sockets.listening, router, limits, until: wakeUp)
            for socket in sockets.listening { socket.close() }
            end.finish(.success(()))
        }
    }

    deinit { stop() }

    /// Makes the thread close the sockets and end, without waiting for it.
    func stop() {
        // If the socket is full, the thread is already woken.
        _ = unsafe write(waker.number, [0], 1)
    }

    /// Serves connections until the thread is woken or a listening socket is lost.
    private static func serve(
        _ sockets: [Descriptor],
        _ router: CallbackRouter,
        _ limits: LoopbackLimits,
        until wakeUp: Descriptor
    ) {
        // The oldest first.
        var connections: [LoopbackConnection] = []
        var pauseEnd = ContinuousClock.now
        while true {
            let now = ContinuousClock.now
            connections.removeAll { $0.isOver || $0.deadline <= now }
            // A negative descriptor is ignored.
            let numbers = [wakeUp.number] + sockets.map { pauseEnd > now ? -1 : $0.number }
            var events = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } + connections.map(\.events)
            let next = (connections.map(\.deadline) + (pauseEnd > now ? [pauseEnd] : [])).min()
            let time = next.map { Int32(clamping: Int((now.duration(to: $0) / .milliseconds(1)).rounded(.up))) }
            let count = unsafe poll(&events, nfds_t(events.count), time ?? -1)
            guard count >= 0 || errno == EINTR, events[0].revents == 0 else { return }
            // Requests come before new connections, which could take their places.
            for (connection, event) in zip(connections, events.dropFirst(numbers.count)) where event.revents != 0 {
                connection.proceed(router)
            }
            for (socket, event) in zip(sockets, events.dropFirst()) where event.revents != 0 {
                guard event.revents == Int16(POLLIN) else { return }
                guard let connection = LoopbackConnection(from: socket, limits) else {
                    // Without a free descriptor the connection keeps waiting, and the socket would be ready at once.
                    pauseEnd = .now + .milliseconds(50)
                    continue
                }
                connections.removeAll(where: \.isOver)
                // A new connection is never refused for the number of others: a process that opens connections
                // endlessly loses its own.
                if connections.count >= limits.connections {
                    connections.remove(at: connections.firstIndex { !$0.hasResponse } ?? 0)
                }
                connections.append(connection)
                // A request that has arrived already is read before another connection can take its place.
                connection.proceed(router)
            }
        }
    }
}
#endif
