// SPDX-License-Identifier: Apache-2.0

/// The format and version information of a code, each with its error-correction remainder.
enum CodeInformation {
    /// Returns correction and mask in fifteen bits (7.9.1, annex C).
    static func format(mask: Mask, _ correction: QRCode.Correction) -> Int {
        let level =
            switch correction {
            case .low: 0b01
            case .medium: 0b00
            }
        // Prevents fifteen light modules for any combination of the two.
        return corrected(level << 3 | mask.rawValue, count: 10, generator: 0b101_0011_0111) ^ 0b101_0100_0001_0010
    }

    /// Returns the version in eighteen bits (7.10, annex D).
    static func version(_ number: Int) -> Int {
        corrected(number, count: 12, generator: 0b1_1111_0010_0101)
    }

    /// Returns a value followed by its remainder, which has the given number of bits.
    private static func corrected(_ value: Int, count: Int, generator: Int) -> Int {
        var rest = value << count
        while rest >> count > 0 {
            // Removes the highest bit until fewer bits are left than the generator has.
            rest ^= generator << (Int.bitWidth - 1 - rest.leadingZeroBitCount - count)
        }
        return value << count | rest
    }
}
