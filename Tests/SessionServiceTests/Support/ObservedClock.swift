// SPDX-License-Identifier: Apache-2.0

#if ServiceLifecycle
import AuthTesting
import Synchronization

/// A test clock for one service, which counts the service's sleeps.
final class ObservedClock: Clock {
    private struct Observations {
        var sleeps = 0
        var wakesAt: TestClock.Instant?
    }

    private let base: TestClock
    private let observed = Mutex(Observations())

    init(_ base: TestClock) {
        self.base = base
    }

    var now: TestClock.Instant { base.now }

    var minimumResolution: Duration { base.minimumResolution }

    /// The number of sleeps so far.
    var sleeps: Int { observed.withLock { $0.sleeps } }

    /// Whether the service sleeps, and stays asleep until the clock is moved.
    var isAsleep: Bool {
        guard let wakesAt = observed.withLock({ $0.wakesAt }) else { return false }
        return base.now < wakesAt
    }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        observed.withLock { observed in
            observed.sleeps += 1
            observed.wakesAt = deadline
        }
        defer { observed.withLock { $0.wakesAt = nil } }
        try await base.sleep(until: deadline, tolerance: tolerance)
    }
}
#endif
