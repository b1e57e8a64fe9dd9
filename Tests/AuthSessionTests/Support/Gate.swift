// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// An event that happens once.
///
/// Tasks that wait for it suspend; no time passes by itself.
final class Event: Sendable {
    private struct Content {
        var hasHappened = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let content = Mutex(Content())

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = content.withLock { content in
                if !content.hasHappened { content.waiters.append(continuation) }
                return content.hasHappened
            }
            if isOver { continuation.resume() }
        }
    }

    func happen() {
        let waiters = content.withLock { content in
            content.hasHappened = true
            defer { content.waiters = [] }
            return content.waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}

/// A gate that holds tasks back until the test opens it, and tells the test that one has arrived.
final class Gate: Sendable {
    private let arrival = Event()
    private let opening = Event()

    func pass() async {
        arrival.happen()
        await opening.wait()
    }

    func waitForArrival() async { await arrival.wait() }

    func open() { opening.happen() }
}
