/// Randomness for values that must not be guessed, from the system's generator.
package enum RandomBytes {
    /// Random bytes.
    package static func make(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return make(count, using: &generator)
    }

    /// Random bytes from the given generator, which only vectors may replace.
    package static func make(_ count: Int, using generator: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
