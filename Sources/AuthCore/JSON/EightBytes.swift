// SPDX-License-Identifier: Apache-2.0

/// Eight bytes of a text in one number, so that one operation examines all of them.
struct EightBytes {
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Reads eight bytes from an offset, the first into the lowest bits; nil if fewer than eight are left.
    @inline(__always)
    init?(_ text: Span<UInt8>, at offset: Int) {
        guard offset >= 0, offset <= text.count - 8 else { return nil }
        // Safe: eight bytes from the offset lie inside the text, and every bit pattern is a number.
        word = UInt64(
            littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        )
    }

    /// Returns the first `count` bytes as a number.
    @inline(__always)
    func prefix(_ count: Int) -> UInt64 {
        count >= 8 ? word : word & (1 << (UInt64(count) * 8) - 1)
    }

    /// Returns the position of the first byte of a value; nil if no byte has it.
    @inline(__always)
    func firstIndex(of byte: UInt8) -> Int? {
        let found = Self.zeros(word ^ (Self.ones &* UInt64(byte)))
        return found == 0 ? nil : found.trailingZeroBitCount / 8
    }

    /// The number of leading bytes that need no decoding in a JSON string: ASCII, not control, quote or backslash.
    @inline(__always)
    var plainCount: Int {
        // Each subtraction sets the top bit of the bytes it searches for. Otherwise it sets the top bit only of bytes
        // that are not ASCII, or that follow a byte it found. So the first marked byte is exact.
        let controls = word &- Self.ones &* 0x20
        let quotes = (word ^ Self.ones &* UInt64(UInt8(ascii: "\""))) &- Self.ones
        let backslashes = (word ^ Self.ones &* UInt64(UInt8(ascii: "\\"))) &- Self.ones
        return ((controls | quotes | backslashes | word) & Self.tops).trailingZeroBitCount / 8
    }

    /// Returns the top bit of each zero byte; above the first of them, also that of some bytes of value one.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- ones) & ~word & tops
    }
}
