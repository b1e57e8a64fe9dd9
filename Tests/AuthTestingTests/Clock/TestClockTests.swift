// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Dispatch
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite(.timeLimit(.minutes(1)))
struct TestClockTests {
    private final class Log: Sendable {
        let woken = Mutex<[Int]>([])
    }

    /// An executor that runs the jobs of tasks one at a time, in the order in which they became ready.
    private final class SerialTaskExecutor: TaskExecutor {
        private let queue = DispatchQueue(label: "TestClockTests")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private let clock = TestClock(Date(timeIntervalSince1970: 1_000))

    private func sleeper(_ span: Duration) -> Task<Void, any Error> {
        Task { [clock] in try await clock.sleep(for: span) }
    }

    @Test func `both clocks stand still until a test advances them, and then advance alike`() {
        let start = clock.now
        #expect(clock.date == Date(timeIntervalSince1970: 1_000))
        #expect(clock.now == start)
        clock.advance(by: .milliseconds(1_500))
        #expect(start.duration(to: clock.now) == .milliseconds(1_500))
        #expect(clock.date == Date(timeIntervalSince1970: 1_001.5))
    }

    @Test func `a step of the wall clock neither advances the monotonic clock nor wakes a sleeper`() async throws {
        let sleeper = sleeper(.seconds(1))
        await clock.sleepers()
        let start = clock.now
        clock.stepDate(by: .seconds(3_600))
        clock.stepDate(by: .seconds(-60))
        #expect(clock.date == Date(timeIntervalSince1970: 4_540))
        #expect(clock.now == start)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(1))
        try await sleeper.value
    }

    @Test func `a sleeper wakes exactly at its deadline`() async throws {
        let sleeper = sleeper(.seconds(1))
        await clock.sleepers()
        clock.advance(by: .seconds(1) - .nanoseconds(1))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .nanoseconds(1))
        #expect(clock.sleeperCount == 0)
        try await sleeper.value
    }

    @Test func `sleepers wake in the order of their deadlines, and equal ones in the order in which they began`()
        async throws
    {
        let log = Log()
        let executor = SerialTaskExecutor()
        try await withThrowingTaskGroup { group in
            for (number, seconds) in [3, 1, 2, 1].enumerated() {
                group.addTask(executorPreference: executor) { [clock] in
                    try await clock.sleep(for: .seconds(seconds))
                    log.woken.withLock { $0.append(number) }
                }
                await clock.sleepers(atLeast: number + 1)
            }
            clock.advance(by: .seconds(3))
            try await group.waitForAll()
        }
        #expect(log.woken.withLock(\.self) == [1, 3, 2, 0])
    }

    @Test func `a sleep until a time in the past returns at once`() async throws {
        clock.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a cancelled sleeper wakes at once, and the clock forgets it`() async {
        let sleeper = sleeper(.seconds(1))
        await clock.sleepers()
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
        #expect(!clock.advanceToNextSleeper())
    }

    @Test func `a task that is cancelled before it sleeps does not fall asleep`() async {
        let sleeper = Task { [clock] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `the clock advances to one sleeper after another, and does not advance without one`() async throws {
        let (late, early) = (sleeper(.seconds(5)), sleeper(.seconds(2)))
        await clock.sleepers(atLeast: 2)
        let start = clock.now
        #expect(clock.advanceToNextSleeper())
        #expect(start.duration(to: clock.now) == .seconds(2))
        try await early.value
        #expect(clock.sleeperCount == 1)
        #expect(clock.advanceToNextSleeper())
        try await late.value
        #expect(!clock.advanceToNextSleeper())
        #expect(start.duration(to: clock.now) == .seconds(5))
    }

    @Test func `a wait for sleepers ends once enough of them sleep`() async throws {
        let first = sleeper(.seconds(1))
        let waiter = Task { [clock] in
            await clock.sleepers(atLeast: 2)
            return clock.sleeperCount
        }
        await clock.sleepers()
        let second = sleeper(.seconds(1))
        #expect(await waiter.value == 2)
        clock.advance(by: .seconds(1))
        try await first.value
        try await second.value
    }
}
