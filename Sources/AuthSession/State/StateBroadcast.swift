/// Tells everyone who watches about every change, in order.
///
/// Confined to the session's actor.
struct StateBroadcast {
    private var watchers: [Int: AsyncStream<SessionState>.Continuation] = [:]
    private var next = 0

    /// Adds a watcher, which sees the current state first.
    mutating func add(_ continuation: AsyncStream<SessionState>.Continuation, current: SessionState) -> Int {
        defer { next += 1 }
        watchers[next] = continuation
        continuation.yield(current)
        return next
    }

    mutating func remove(_ watcher: Int) {
        watchers[watcher] = nil
    }

    func send(_ state: SessionState) {
        for continuation in watchers.values { continuation.yield(state) }
    }
}
