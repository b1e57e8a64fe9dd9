// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// The cost parameters of scrypt, which set the work for one guess at a passphrase.
///
/// [RFC 7914, section 2](https://www.rfc-editor.org/rfc/rfc7914#section-2).
package struct ScryptCost: Sendable, Hashable {
    /// The base-2 logarithm of N, the number of rounds and of memory blocks.
    let logRounds: UInt8
    /// The block size r, in units of 128 bytes.
    let blockSize: UInt8
    /// The parallelization parameter p.
    let parallelism: UInt8

    /// Creates a cost.
    ///
    /// - Parameters:
    ///   - logRounds: The base-2 logarithm of N.
    ///   - blockSize: The block size r.
    ///   - parallelism: The parallelization parameter p.
    package init(logRounds: UInt8, blockSize: UInt8 = 8, parallelism: UInt8 = 1) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    init?(from reader: inout ByteReader) {
        guard let bytes = reader.bytes(3) else { return nil }
        self.init(logRounds: bytes[0], blockSize: bytes[1], parallelism: bytes[2])
    }

    /// The cost of new files: 128 MiB of memory and some tenths of a second.
    package static let standard = ScryptCost(logRounds: 17)

    private static let maximumMemory = 1 << 30

    /// Whether the cost is within the limits for a file, whose content is not trusted.
    ///
    /// swift-crypto ignores the memory limit that it takes as an argument, so this check is the only limit.
    var isBounded: Bool {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...4).contains(parallelism) else {
            return false
        }
        // "N must be [...] less than 2^(128 * r / 8)."
        return Int(logRounds) < 16 * Int(blockSize) && (128 * Int(blockSize)) << Int(logRounds) <= Self.maximumMemory
    }
}
#endif
