// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Dispatch
import Synchronization
import Testing

@testable import AuthSessionTests
@testable import AuthUI

/// The activity that keeps a process from being suspended.
@Suite(.timeLimit(.minutes(5)))
struct ExpiringActivityTests {
    /// A system with threads of its own, which calls an activity's block.
    private final class System: Sendable {
        private let blocks = Mutex<[@Sendable (Bool) -> Void]>([])
        let returned = Event()

        func request(isGranted: Bool) -> ExpiringActivity.Request {
            { [self] _, block in
                blocks.withLock { $0.append(block) }
                DispatchQueue.global().async { [self] in
                    block(!isGranted)
                    returned.happen()
                }
            }
        }

        func expire() {
            for block in blocks.withLock({ $0 }) { block(true) }
        }
    }

    @Test func `the block of a granted activity blocks until the work has ended`() async {
        let system = System()
        let (working, leave) = (Event(), Event())
        let count = Mutex(0)
        let hasReturned = Mutex(false)
        let watching = Task {
            await system.returned.wait()
            hasReturned.withLock { $0 = true }
        }
        let performing = Task {
            await ExpiringActivity.perform("refresh", requestedBy: system.request(isGranted: true)) {
                count.withLock { $0 += 1 }
                working.happen()
                await leave.wait()
            }
        }
        await working.wait()
        await settle()
        #expect(!hasReturned.withLock { $0 })
        leave.happen()
        await performing.value
        await watching.value
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `the block returns once the time has expired, and the work goes on`() async {
        let system = System()
        let count = Mutex(0)
        await ExpiringActivity.perform("refresh", requestedBy: system.request(isGranted: true)) {
            system.expire()
            await system.returned.wait()
            count.withLock { $0 += 1 }
        }
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `the work runs once if the system grants no time`() async {
        let system = System()
        let count = Mutex(0)
        await ExpiringActivity.perform("refresh", requestedBy: system.request(isGranted: false)) {
            count.withLock { $0 += 1 }
        }
        await system.returned.wait()
        #expect(count.withLock { $0 } == 1)
    }

    @Test func `the work runs once if the system never decides, and if the task is cancelled`() async {
        let count = Mutex(0)
        await ExpiringActivity.perform("refresh", waitingAtMost: .milliseconds(1), requestedBy: { _, _ in }) {
            count.withLock { $0 += 1 }
        }
        let gate = Gate()
        let task = Task {
            await gate.pass()
            await ExpiringActivity.perform("refresh", waitingAtMost: .seconds(600), requestedBy: { _, _ in }) {
                count.withLock { $0 += 1 }
            }
        }
        task.cancel()
        gate.open()
        await task.value
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `an activity that is granted after the end of the work returns at once`() async {
        let block = Mutex<(@Sendable (Bool) -> Void)?>(nil)
        await ExpiringActivity.perform(
            "refresh",
            waitingAtMost: .milliseconds(1),
            requestedBy: { _, late in block.withLock { $0 = late } }
        ) {}
        block.withLock { $0 }?(false)
    }
}
