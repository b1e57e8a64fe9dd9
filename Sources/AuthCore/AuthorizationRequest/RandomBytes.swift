// SPDX-License-Identifier: Apache-2.0

/// Random bytes from the system's generator, for values that must not be guessable.
package enum RandomBytes {
    /// Returns random bytes.
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return make(count, using: &generator)
    }

    /// Returns random bytes from the given generator, which only test vectors may replace.
    package static func make(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
