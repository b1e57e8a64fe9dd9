import Synchronization

/// Tells everyone who watches about every change, in order.
///
/// Who begins to watch misses nothing from that moment on: the current state and the watcher are joined under one lock.
final class StateBroadcast: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var watchers: [Int: AsyncStream<SessionState>.Continuation] = [:]
        var next = 0
    }

    private let content = Mutex(Content())

    /// Every state from now on, beginning with the current one.
    var states: AsyncStream<SessionState> {
        AsyncStream { continuation in
            let watcher = content.withLock { content in
                defer { content.next += 1 }
                content.watchers[content.next] = continuation
                continuation.yield(content.state)
                return content.next
            }
            continuation.onTermination = { [weak self] _ in
                self?.content.withLock { _ = $0.watchers.removeValue(forKey: watcher) }
            }
        }
    }

    func send(_ state: SessionState) {
        content.withLock { content in
            content.state = state
            for continuation in content.watchers.values { continuation.yield(state) }
        }
    }

    deinit {
        // Nothing changes any more: who watches is told.
        for continuation in content.withLock({ $0.watchers }).values { continuation.finish() }
    }
}
