// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import AuthUI

/// A background task is ended exactly once.
@Suite struct BackgroundTaskTests {
    private final class Ended: Sendable {
        private let identifiers = Mutex<[Int]>([])

        var all: [Int] { identifiers.withLock { $0 } }

        func note(_ identifier: Int) { identifiers.withLock { $0.append(identifier) } }
    }

    @Test func `a task ends with its work`() {
        let ended = Ended()
        let task = BackgroundTask<Int> { ended.note($0) }
        task.begin(as: 7)
        #expect(ended.all.isEmpty)
        task.finish()
        #expect(ended.all == [7])
    }

    @Test func `a task that has expired ends once`() {
        let ended = Ended()
        let task = BackgroundTask<Int> { ended.note($0) }
        task.begin(as: 7)
        task.finish()
        task.finish()
        #expect(ended.all == [7])
    }

    @Test func `a task that expires before its identifier is known ends as soon as it is`() {
        let ended = Ended()
        let task = BackgroundTask<Int> { ended.note($0) }
        task.finish()
        #expect(ended.all.isEmpty)
        task.begin(as: 7)
        #expect(ended.all == [7])
        task.finish()
        #expect(ended.all == [7])
    }

    @Test func `a task that was not granted ends nothing`() {
        let ended = Ended()
        let task = BackgroundTask<Int> { ended.note($0) }
        task.finish()
        #expect(ended.all.isEmpty)
    }
}
