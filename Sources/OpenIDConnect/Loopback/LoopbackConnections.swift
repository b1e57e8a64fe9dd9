#if LoopbackRedirect
import NIOCore
import Synchronization

/// The listener's connections: so many at once, and none any more once it is over.
final class LoopbackConnections: Sendable {
    private struct Connection {
        let channel: any Channel
        var isAnswered = false
    }

    private struct State {
        /// The oldest first.
        var open: [Connection] = []
        var isOver = false
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a new connection in, at the cost of the oldest idle one where there are too many.
    ///
    /// Nobody is turned away at the door: a process that opens connections without end loses its own.
    func add(_ channel: any Channel) {
        let dropped: (any Channel)? = state.withLock { state in
            guard !state.isOver else { return channel }
            defer { state.open.append(Connection(channel: channel)) }
            guard state.open.count >= limit else { return nil }
            let oldest = state.open.firstIndex { !$0.isAnswered } ?? state.open.startIndex
            return state.open.remove(at: oldest).channel
        }
        dropped?.close(promise: nil)
    }

    /// Notes that a connection has its answer, and is not idle.
    func markAnswered(_ channel: any Channel) {
        state.withLock { state in
            guard let index = state.open.firstIndex(where: { $0.channel === channel }) else { return }
            state.open[index].isAnswered = true
        }
    }

    /// Forgets a connection that has ended.
    func remove(_ channel: any Channel) {
        state.withLock { state in state.open.removeAll { $0.channel === channel } }
    }

    /// Ends every connection, also those to come.
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
