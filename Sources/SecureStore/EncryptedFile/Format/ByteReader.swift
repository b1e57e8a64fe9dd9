// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// A reader of untrusted bytes from start to end, which never reads past the end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next bytes, or nil if there are fewer.
    mutating func bytes(_ count: Int) -> [UInt8]? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Returns the next byte, or nil at the end.
    mutating func byte() -> UInt8? { rest.popFirst() }

    /// Returns the next four bytes as a number, or nil if there are fewer or the number exceeds the limit.
    mutating func size(atMost limit: Int) -> Int? {
        guard let bytes = bytes(4) else { return nil }
        let number = bytes.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        return number <= limit ? Int(number) : nil
    }
}

extension FixedWidthInteger {
    /// The number's bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
#endif
