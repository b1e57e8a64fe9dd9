internal import Dispatch
internal import Synchronization

/// The deadlines of calls that are under way, with one timer for all of them.
///
/// Most calls end long before their deadline. A sleeping task for each would cost more than some of the calls, and stay in
/// the runtime's list until its time is over, cancelled or not: a hundred thousand requests of a second would hold as many
/// for half a minute. So one timer is armed for the earliest, and looks when it fires which ones are due.
package final class Deadlines: Sendable {
    fileprivate struct State {
        var waiting: [UInt64: (end: SuspendingClock.Instant, fire: @Sendable () -> Void)] = [:]
        var lastNumber: UInt64 = 0
        /// When the timer fires next; nil where none is armed.
        var armed: SuspendingClock.Instant?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sallyport.deadlines")

    /// Begins without any.
    package init() {}

    /// Calls back once after a time, unless that is taken back before.
    ///
    /// - Parameters:
    ///   - duration: How long from now, on the clock that stands still while the machine sleeps.
    ///   - fire: What to do, on a thread of its own.
    /// - Returns: The number to take it back by.
    package func add(after duration: Duration, _ fire: @escaping @Sendable () -> Void) -> UInt64 {
        let end = SuspendingClock().now.advanced(by: duration)
        let (number, arms) = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = (end, fire)
            return (state.lastNumber, state.arms(for: end))
        }
        if arms { arm(end) }
        return number
    }

    /// Takes a deadline back; nothing of it stays behind.
    ///
    /// - Parameter number: Of the deadline. One that has fired, or was taken back, is none any more.
    package func remove(_ number: UInt64) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    private func arm(_ end: SuspendingClock.Instant) {
        let left = max(.zero, SuspendingClock().now.duration(to: end))
        let nanoseconds = min(left / .nanoseconds(1), Double(Int.max / 2))
        // Held weakly: a store that is gone has no calls.
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.fireDue(end) }
    }

    private func fireDue(_ armed: SuspendingClock.Instant) {
        let (due, next) = state.withLock { $0.takeDue(SuspendingClock().now, armed) }
        for fire in due { fire() }
        if let next { arm(next) }
    }
}

extension Deadlines.State {
    fileprivate mutating func arms(for end: SuspendingClock.Instant) -> Bool {
        if let armed, armed <= end { return false }
        armed = end
        return true
    }

    /// What is due now, and when to look again.
    fileprivate mutating func takeDue(
        _ now: SuspendingClock.Instant,
        _ fired: SuspendingClock.Instant
    ) -> (due: [@Sendable () -> Void], next: SuspendingClock.Instant?) {
        let due = waiting.filter { $0.value.end <= now }
        for number in due.keys { waiting[number] = nil }
        // Another one has been armed since, and will look.
        guard armed == fired else { return (due.values.map(\.fire), nil) }
        armed = waiting.values.map(\.end).min()
        return (due.values.map(\.fire), armed)
    }
}
