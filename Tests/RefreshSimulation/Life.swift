// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One life of a process, from its start to its end or its death.
///
/// Every effect on the world goes through ``pass()``: a dead process stops there and has no further effect.
final class Life: Sendable {
    private struct Content {
        var isDead = false
        var isOver = false
        var suspended: [CheckedContinuation<Void, Never>] = []
    }

    /// The number of this life within the schedule.
    let number: Int
    private let content = Mutex(Content())

    init(number: Int) {
        self.number = number
    }

    var isDead: Bool { content.withLock { $0.isDead } }

    /// Returns at once if the process is alive; otherwise waits until the schedule is over.
    func pass() async {
        await withCheckedContinuation { continuation in
            let goesOn = content.withLock { content in
                if content.isDead, !content.isOver {
                    content.suspended.append(continuation)
                    return false
                }
                return true
            }
            if goesOn { continuation.resume() }
        }
    }

    /// Kills the process, between two of its steps.
    func kill() {
        content.withLock { $0.isDead = true }
    }

    /// Ends the schedule: tasks of a dead process may finish.
    func end() {
        let suspended = content.withLock { content in
            (content.isDead, content.isOver) = (true, true)
            defer { content.suspended = [] }
            return content.suspended
        }
        for waiter in suspended { waiter.resume() }
    }
}
