// SPDX-License-Identifier: Apache-2.0

import Synchronization
import TestSupport

/// A random source with a seed: the same seed gives the same numbers.
final class SeededRandom: Sendable {
    private let state: Mutex<SeededGenerator>

    init(seed: UInt64) {
        state = Mutex(SeededGenerator(seed: seed))
    }

    private func next() -> UInt64 {
        state.withLock { $0.next() }
    }

    /// Returns a number from 0 to less than the count.
    func below(_ count: Int) -> Int {
        Int(next() % UInt64(count))
    }

    /// Returns a number from 0 to less than 1.
    func fraction() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }

    /// Returns true with a probability in thousandths.
    func chance(_ perMille: Int) -> Bool {
        below(1_000) < perMille
    }

    /// Returns a whole number of milliseconds in a range.
    func span(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(range.lowerBound + below(range.upperBound - range.lowerBound + 1))
    }
}
