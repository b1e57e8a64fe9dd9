// SPDX-License-Identifier: Apache-2.0

/// A generator that returns 0, 1, 2, ..., so that results are known in advance.
struct CountingGenerator: RandomNumberGenerator {
    private var upcoming: UInt64 = 0

    mutating func next() -> UInt64 {
        defer { upcoming += 1 }
        return upcoming
    }
}
