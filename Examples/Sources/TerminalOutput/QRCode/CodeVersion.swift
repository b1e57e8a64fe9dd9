// SPDX-License-Identifier: Apache-2.0

/// The properties of a version: its size, the places of its patterns, and the blocks of its codewords.
struct CodeVersion: Sendable {
    /// The version's number: 1 to 10.
    let number: Int
    /// The rows and columns of the alignment patterns' centres (annex E).
    let alignment: [Int]
    /// The number of codewords of the code (table 1).
    private let total: Int
    private let low: Blocks
    private let medium: Blocks

    /// The blocks, each corrected separately (table 9).
    struct Blocks: Sendable {
        let count: Int
        /// The number of error-correction codewords per block.
        let correcting: Int
    }

    var size: Int { 17 + 4 * number }

    /// The number of bits of the character count (table 3).
    var lengthBits: Int { number < 10 ? 8 : 16 }

    func blocks(_ correction: QRCode.Correction) -> Blocks {
        switch correction {
        case .low: low
        case .medium: medium
        }
    }

    /// Returns the number of data codewords.
    func dataCount(_ correction: QRCode.Correction) -> Int {
        let blocks = blocks(correction)
        return total - blocks.count * blocks.correcting
    }

    /// Returns the length of the longest text, in bytes.
    func capacity(_ correction: QRCode.Correction) -> Int {
        (dataCount(correction) * 8 - Codewords.modeBits - lengthBits) / 8
    }

    private init(_ number: Int, total: Int, alignment: [Int], low: (Int, Int), medium: (Int, Int)) {
        (self.number, self.total, self.alignment) = (number, total, alignment)
        self.low = Blocks(count: low.0, correcting: low.1)
        self.medium = Blocks(count: medium.0, correcting: medium.1)
    }

    /// The versions, the smallest first.
    static let all = [
        CodeVersion(1, total: 26, alignment: [], low: (1, 7), medium: (1, 10)),
        CodeVersion(2, total: 44, alignment: [6, 18], low: (1, 10), medium: (1, 16)),
        CodeVersion(3, total: 70, alignment: [6, 22], low: (1, 15), medium: (1, 26)),
        CodeVersion(4, total: 100, alignment: [6, 26], low: (1, 20), medium: (2, 18)),
        CodeVersion(5, total: 134, alignment: [6, 30], low: (1, 26), medium: (2, 24)),
        CodeVersion(6, total: 172, alignment: [6, 34], low: (2, 18), medium: (4, 16)),
        CodeVersion(7, total: 196, alignment: [6, 22, 38], low: (2, 20), medium: (4, 18)),
        CodeVersion(8, total: 242, alignment: [6, 24, 42], low: (2, 24), medium: (4, 22)),
        CodeVersion(9, total: 292, alignment: [6, 26, 46], low: (2, 30), medium: (5, 22)),
        CodeVersion(10, total: 346, alignment: [6, 28, 50], low: (4, 18), medium: (5, 26)),
    ]
}
