// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A broadcaster of every state change to all observers, in order.
///
/// A new observer misses nothing: it gets the current state and is registered under one lock.
final class StateBroadcast: Sendable {
    private struct Content {
        var state = SessionState.restoring
        var watchers: [Int: AsyncStream<SessionState>.Continuation] = [:]
        var next = 0
    }

    private let content = Mutex(Content())

    /// A stream of all states from now on, beginning with the current one.
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
        // No further change can come, so the observers' streams end.
        for continuation in content.withLock({ $0.watchers }).values { continuation.finish() }
    }
}
