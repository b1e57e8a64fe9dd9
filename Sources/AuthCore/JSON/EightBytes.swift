/// Eight bytes of a text in one number, to look at all of them at once.
struct EightBytes {
    private let word: UInt64

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The bytes from an offset on, the first in the lowest bits; nil where the text has not eight more.
    @inline(__always)
    init?(_ text: Span<UInt8>, at offset: Int) {
        guard offset >= 0, offset <= text.count - 8 else { return nil }
        // Safe: eight bytes from the offset on lie inside the text, and every pattern of bits is a number.
        word = UInt64(
            littleEndian: unsafe text.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
        )
    }

    /// The first so many bytes as a number.
    @inline(__always)
    func prefix(_ count: Int) -> UInt64 {
        count >= 8 ? word : word & (1 << (UInt64(count) * 8) - 1)
    }

    /// The place of the first byte of a value; nil where there is none.
    @inline(__always)
    func firstIndex(of byte: UInt8) -> Int? {
        let found = Self.zeros(word ^ (Self.ones &* UInt64(byte)))
        return found == 0 ? nil : found.trailingZeroBitCount / 8
    }

    /// How many, from the first on, stand for themselves in a JSON string: ASCII, no control character, no quote, no
    /// backslash.
    @inline(__always)
    var plainCount: Int {
        // Each subtraction sets the top bit of the bytes it looks for, and else only of such as are not ASCII, or stand
        // behind one it found. So the first is exact.
        let controls = word &- Self.ones &* 0x20
        let quotes = (word ^ Self.ones &* UInt64(UInt8(ascii: "\""))) &- Self.ones
        let backslashes = (word ^ Self.ones &* UInt64(UInt8(ascii: "\\"))) &- Self.ones
        return ((controls | quotes | backslashes | word) & Self.tops).trailingZeroBitCount / 8
    }

    /// The top bit of each byte that is zero; above the first of them also of some that are one.
    @inline(__always)
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- ones) & ~word & tops
    }
}
