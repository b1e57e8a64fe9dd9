import Synchronization

/// Chance that a seed decides: the same seed, the same throws (SplitMix64).
final class SeededRandom: Sendable {
    private let state: Mutex<UInt64>

    init(seed: UInt64) {
        state = Mutex(seed)
    }

    private func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
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
