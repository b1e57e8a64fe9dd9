import Synchronization
import TestSupport

/// Chance that a seed decides: the same seed, the same throws.
final class SeededRandom: Sendable {
    private let state: Mutex<SeededGenerator>

    init(seed: UInt64) {
        state = Mutex(SeededGenerator(seed: seed))
    }

    private func next() -> UInt64 {
        state.withLock { $0.next() }
    }

    /// From 0 up to the count, which is not reached.
    func below(_ count: Int) -> Int {
        Int(next() % UInt64(count))
    }

    /// From 0 up to 1.
    func fraction() -> Double {
        Double(next() >> 11) / Double(1 << 53)
    }

    /// True in so many of a thousand throws.
    func chance(_ perMille: Int) -> Bool {
        below(1_000) < perMille
    }

    /// A whole number of milliseconds in a range.
    func span(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(range.lowerBound + below(range.upperBound - range.lowerBound + 1))
    }
}
