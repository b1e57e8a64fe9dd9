// SPDX-License-Identifier: Apache-2.0

#if LoopbackRedirect && (os(Linux) || os(macOS))
import NIOCore
import Synchronization

/// The listener's open connections, limited in number.
final class LoopbackConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        var hasResponse = false
    }

    private struct State {
        /// The open connections, the oldest first.
        var open: [Connection] = []
        var isOver = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a new connection, and closes the oldest idle one if there are too many.
    ///
    /// A new connection is never refused for the number of others: a process that opens connections endlessly loses its
    /// own.
    func add(_ channel: any Channel) {
        let dropped: (any Channel)? = state.withLock { state in
            guard !state.isOver else { return channel }
            defer { state.open.append(Connection(channel: channel)) }
            guard state.open.count >= limit else { return nil }
            let oldest = state.open.firstIndex { !$0.hasResponse } ?? state.open.startIndex
            return state.open.remove(at: oldest).channel
        }
        dropped?.close(promise: nil)
    }

    /// Marks a connection that has its response, and so is not idle.
    func markHasResponse(_ channel: any Channel) {
        state.withLock { state in
            guard let index = state.open.firstIndex(where: { $0.channel === channel }) else { return }
            state.open[index].hasResponse = true
        }
    }

    /// Removes a connection that has ended.
    func remove(_ channel: any Channel) {
        state.withLock { state in state.open.removeAll { $0.channel === channel } }
    }

    /// Closes every connection, including later ones.
    func end() {
        let open = state.withLock { state in
            state.isOver = true
            defer { state.open = [] }
            return state.open
        }
        for connection in open { connection.channel.close(promise: nil) }
    }
}
#endif
