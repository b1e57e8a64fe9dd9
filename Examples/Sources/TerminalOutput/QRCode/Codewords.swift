// SPDX-License-Identifier: Apache-2.0

/// The codewords of a code: the data and their error correction.
enum Codewords {
    static let modeBits = 4

    /// Returns all codewords of a text in their final order.
    ///
    /// The text must not exceed the version's capacity.
    static func all(of bytes: [UInt8], _ version: CodeVersion, _ correction: QRCode.Correction) -> [UInt8] {
        let blocks = version.blocks(correction)
        let said = parted(data(bytes, version, correction), into: blocks.count)
        let correcting = said.map { ReedSolomon.remainder(of: $0, count: blocks.correcting) }
        return interleaved(said) + interleaved(correcting)
    }

    /// Returns the mode, the length, the text and the padding (7.4).
    private static func data(
        _ bytes: [UInt8],
        _ version: CodeVersion,
        _ correction: QRCode.Correction
    ) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            bits += (0..<count).reversed().map { value >> $0 & 1 == 1 }
        }
        append(0b0100, modeBits)
        append(bytes.count, version.lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        // The four bits of the terminator end a byte: the mode has four bits, the rest is whole bytes.
        append(0, 4)
        var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<version.dataCount(correction) - codewords.count {
            codewords.append(index.isMultiple(of: 2) ? 0b1110_1100 : 0b0001_0001)
        }
        return codewords
    }

    /// Divides the data into blocks.
    ///
    /// If the lengths can't be equal, the last blocks are longer by one (7.5.1).
    private static func parted(_ data: [UInt8], into count: Int) -> [[UInt8]] {
        let (length, longer) = data.count.quotientAndRemainder(dividingBy: count)
        var rest = data[...]
        return (0..<count).map { index in
            let block = rest.prefix(index < count - longer ? length : length + 1)
            rest = rest.dropFirst(block.count)
            return Array(block)
        }
    }

    /// Interleaves the blocks: the first codeword of each, then the second of each, and so on (7.6).
    private static func interleaved(_ blocks: [[UInt8]]) -> [UInt8] {
        let longest = blocks.map(\.count).max() ?? 0
        return (0..<longest).flatMap { index in blocks.compactMap { index < $0.count ? $0[index] : nil } }
    }
}
