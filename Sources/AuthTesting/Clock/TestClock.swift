import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A clock that stands still until a test moves it: a wall clock and a monotonic one.
///
/// Who sleeps by it wakes when it is moved far enough, and no real time passes.
public final class TestClock: Clock {
    /// A moment of the monotonic clock: how far it has been moved.
    public struct Instant: InstantProtocol {
        fileprivate let offset: Duration

        /// A later moment.
        ///
        /// - Parameter duration: By how much.
        /// - Returns: The moment.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// How far it is to another moment.
        ///
        /// - Parameter other: The moment.
        /// - Returns: The span; negative where the other is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether one is earlier.
        public static func < (left: Self, right: Self) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let end: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var date: Date
        var elapsed = Duration.zero
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var next = 0
    }

    private let state: Mutex<State>

    /// Makes a clock.
    ///
    /// - Parameter start: What the wall clock shows first.
    public init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Mutex(State(date: start))
    }

    /// What the wall clock shows.
    public var date: Date { state.withLock { $0.date } }

    /// What the monotonic clock shows.
    public var now: Instant { Instant(offset: state.withLock { $0.elapsed }) }

    /// As fine as can be.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many tasks sleep by this clock.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves both clocks forwards, and wakes whose time has come.
    ///
    /// - Parameter span: How far.
    public func advance(by span: Duration) {
        precondition(span >= .zero, "a monotonic clock goes forwards; stepDate(by:) sets the wall clock back")
        let due = state.withLock { state in
            state.elapsed += span
            state.date = state.date.addingTimeInterval(span / .seconds(1))
            let due = state.sleepers.filter { $0.value.end <= state.elapsed }
            for key in due.keys { state.sleepers[key] = nil }
            // Whose times are equal wake in the order in which they fell asleep.
            return due.sorted { ($0.value.end, $0.key) < ($1.value.end, $1.key) }.map(\.value.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    /// Moves both clocks forwards to the moment at which the next task wakes, and wakes it.
    ///
    /// - Returns: Whether any task sleeps.
    @discardableResult
    public func advanceToNextSleeper() -> Bool {
        let next = state.withLock { state in
            state.sleepers.values.map(\.end).min().map { $0 - state.elapsed }
        }
        guard let next else { return false }
        advance(by: next)
        return true
    }

    /// Sets the wall clock alone, as a person or a time server does.
    ///
    /// - Parameter span: How far forwards; negative for backwards.
    public func stepDate(by span: Duration) {
        state.withLock { $0.date = $0.date.addingTimeInterval(span / .seconds(1)) }
    }

    /// Waits until so many tasks sleep by this clock.
    ///
    /// - Parameter count: How many at least.
    public func sleepers(atLeast count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isSo = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, continuation)) }
                return state.sleepers.count >= count
            }
            if isSo { continuation.resume() }
        }
    }

    /// Sleeps until the clock has been moved to a moment.
    ///
    /// - Parameters:
    ///   - deadline: The moment.
    ///   - tolerance: Of no meaning here.
    /// - Throws: `CancellationError` at once when the task is cancelled.
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
            // Cancelled before it got here: the handler has run and will not run again.
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
