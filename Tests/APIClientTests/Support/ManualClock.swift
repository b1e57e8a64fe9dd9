import Synchronization

/// A clock that a test moves, so that no test sleeps.
///
/// Short waits, the pauses of retries, pass at once and move it; a longer one, a deadline, waits until the test moves it
/// that far.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var pauses: [Duration] = []
        var sleepers: [Int: (end: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let longestPause: Duration
    private let state = Mutex(State())

    init(passingAtOnce longestPause: Duration = .seconds(15)) {
        self.longestPause = longestPause
    }

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .nanoseconds(1) }
    /// The waits that passed at once, in order.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.end <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values.map(\.continuation)
        }
        for continuation in due { continuation.resume() }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state -> Int? in
            let span = state.now.duration(to: deadline)
            if span <= longestPause {
                state.now = max(state.now, deadline)
                state.pauses.append(span)
                return nil
            }
            state.next += 1
            return state.next
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(id, until: deadline, continuation)
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)?.continuation
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func wait(_ id: Int, until end: Instant, _ continuation: CheckedContinuation<Void, any Error>) {
        let result = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.contains(id) { return .failure(CancellationError()) }
            if end <= state.now { return .success(()) }
            state.sleepers[id] = (end, continuation)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }
}
