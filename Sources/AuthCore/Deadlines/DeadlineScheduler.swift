// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A scheduler of the deadlines of the calls in progress, with one timer for all.
///
/// Most calls end long before their deadline. A sleeping task for each would cost more than some of the calls. It would
/// also stay in the runtime's list until its time is over, even if cancelled: a hundred thousand requests in a second
/// would leave as many tasks for half a minute. So one timer is armed for the earliest deadline. When it fires,
/// it looks up all that are due.
package final class DeadlineScheduler: Sendable {
    fileprivate struct State {
        var waiting: [UInt64: (end: SuspendingClock.Instant, fire: @Sendable () -> Void)] = [:]
        var lastNumber: UInt64 = 0
        /// The moment when the timer fires next; nil if no timer is armed.
        var armed: SuspendingClock.Instant?
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "sallyport.deadlines")

    /// Creates a scheduler without deadlines.
    package init() {}

    /// Calls a function once after a time, unless the deadline is removed before.
    ///
    /// - Parameters:
    ///   - duration: The time from now, on the clock that stops while the machine sleeps.
    ///   - fire: The function. It runs on a thread of the timer.
    /// - Returns: The number by which ``remove(_:)`` finds the deadline.
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

    /// Removes a deadline completely.
    ///
    /// - Parameter number: The deadline's number. Ignored if the deadline has fired or was removed.
    package func remove(_ number: UInt64) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    private func arm(_ end: SuspendingClock.Instant) {
        let left = max(.zero, SuspendingClock().now.duration(to: end))
        let nanoseconds = min(left / .nanoseconds(1), Double(Int.max / 2))
        // A weak reference: once the owner is released, no call is in progress.
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.fireDue(end) }
    }

    private func fireDue(_ armed: SuspendingClock.Instant) {
        let (due, next) = state.withLock { $0.takeDue(SuspendingClock().now, armed) }
        for fire in due { fire() }
        if let next { arm(next) }
    }
}

extension DeadlineScheduler.State {
    fileprivate mutating func arms(for end: SuspendingClock.Instant) -> Bool {
        if let armed, armed <= end { return false }
        armed = end
        return true
    }

    /// Removes and returns the deadlines that are due, with the moment of the next one.
    fileprivate mutating func takeDue(
        _ now: SuspendingClock.Instant,
        _ fired: SuspendingClock.Instant
    ) -> (due: [@Sendable () -> Void], next: SuspendingClock.Instant?) {
        let due = waiting.filter { $0.value.end <= now }
        for number in due.keys { waiting[number] = nil }
        // Another timer has been armed since and will check.
        guard armed == fired else { return (due.values.map(\.fire), nil) }
        armed = waiting.values.map(\.end).min()
        return (due.values.map(\.fire), armed)
    }
}
