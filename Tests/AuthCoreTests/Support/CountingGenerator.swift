/// Gives 0, 1, 2, ...: what is made with it is known before.
struct CountingGenerator: RandomNumberGenerator {
    private var upcoming: UInt64 = 0

    mutating func next() -> UInt64 {
        defer { upcoming += 1 }
        return upcoming
    }
}
