// SPDX-License-Identifier: Apache-2.0

package import AuthCore
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A wall clock and a monotonic clock that stand still until a test moves them.
///
/// A sleeping task wakes once the clock has been moved far enough. No real time passes.
public final class TestClock: Clock {
    /// A moment of the monotonic clock: the distance by which it has been moved.
    public struct Instant: InstantProtocol {
        fileprivate let offset: Duration

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        public func duration(to other: Instant) -> Duration { other.offset - offset }

        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var date: Date
        var elapsed = Duration.zero
        var bootID = UUID()
        /// Some time after the machine's start.
        var bootedAt = Duration.seconds(-3_600)
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var next = 0
    }

    private let state: Mutex<State>

    /// Creates a clock whose wall clock starts at a date.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Mutex(State(date: start))
    }

    /// The wall clock's current date.
    public var date: Date { state.withLock { $0.date } }

    /// The monotonic clock's current moment.
    public var now: Instant { Instant(offset: state.withLock { $0.elapsed }) }

    public var minimumResolution: Duration { .nanoseconds(1) }

    /// The number of tasks that sleep on this clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves both clocks forwards, and wakes the tasks that are due.
    public func advance(by span: Duration) {
        precondition(span >= .zero, "a monotonic clock can't go back; use stepDate(by:) to set back the wall clock")
        let due = state.withLock { state in
            state.elapsed += span
            state.date = state.date.addingTimeInterval(span / .seconds(1))
            let due = state.sleepers.filter { $0.value.end <= state.elapsed }
            for key in due.keys { state.sleepers[key] = nil }
            // Tasks with equal end times wake in the order in which they fell asleep.
            return due.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }.map(\.value.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Moves both clocks forwards to the moment when the next task wakes, and wakes it.
    ///
    /// - Returns: Whether a task slept.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        let next = state.withLock { state in
            state.sleepers.values.map(\.end).min().map { $0 - state.elapsed }
        }
        guard let next else { return false }
        advance(by: next)
        return true
    }

    /// Moves the wall clock only, as a user or a time server does; backwards if the span is negative.
    public func stepDate(by span: Duration) {
        state.withLock { $0.date = $0.date.addingTimeInterval(span / .seconds(1)) }
    }

    /// The time by the clock of the machine's start.
    package var bootTime: BootTime {
        state.withLock { BootTime(bootID: $0.bootID, seconds: ($0.elapsed - $0.bootedAt) / .seconds(1)) }
    }

    /// Restarts the machine: later times are by another start.
    package func restartMachine() { state.withLock { ($0.bootID, $0.bootedAt) = (UUID(), $0.elapsed) } }

    /// Waits until enough tasks sleep on this clock.
    public func sleepers(atLeast count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isSo { continuation.resume() }
        }
    }

    /// Sleeps until the clock has been moved to a moment; ignores the tolerance.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let id = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                begin(Sleeper(end: deadline.offset, continuation: continuation), as: id)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func begin(_ sleeper: Sleeper, as id: Int) {
        let (result, watchers) = state.withLock {
            state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
            // Cancelled before this point: the handler has run and will not run again.
            if Task.isCancelled { return (.failure(CancellationError()), []) }
            if sleeper.end <= state.elapsed { return (.success(()), []) }
            state.sleepers[id] = sleeper
            let count = state.sleepers.count
            let satisfied = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return (nil, satisfied)
        }
        if let result { sleeper.continuation.resume(with: result) }
        for watcher in watchers { watcher.resume() }
    }
}
