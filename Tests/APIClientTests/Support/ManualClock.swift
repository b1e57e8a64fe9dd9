// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Synchronization

/// A test clock on which short waits, such as pauses between retries, pass at once and advance it.
///
/// A longer wait, such as a deadline, lasts until the test advances the clock that far.
final class ManualClock: Clock {
    private let longestPause: Duration
    private let clock = TestClock()
    private let passed = Mutex<[Duration]>([])

    init(passingAtOnce longestPause: Duration = .seconds(15)) {
        self.longestPause = longestPause
    }

    var now: TestClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }
    /// The waits that passed at once, in their order.
    var pauses: [Duration] { passed.withLock { $0 } }

    func advance(by duration: Duration) { clock.advance(by: duration) }

    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let span = clock.now.duration(to: deadline)
        guard span <= longestPause else { return try await clock.sleep(until: deadline) }
        passed.withLock { $0.append(span) }
        clock.advance(by: max(.zero, span))
    }
}
