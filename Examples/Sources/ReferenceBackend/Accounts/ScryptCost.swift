// SPDX-License-Identifier: Apache-2.0

/// The CPU time and memory that a password hash takes.
///
/// [RFC 7914, 2](https://www.rfc-editor.org/rfc/rfc7914#section-2).
public struct ScryptCost: Sendable, Equatable {
    /// The base-2 logarithm of the number of rounds (N).
    public let logRounds: Int
    /// The block size (r).
    public let blockSize: Int
    /// The parallelism (p).
    public let parallelism: Int

    /// The minimum that OWASP's password storage cheat sheet recommends for a server, in its 16 MiB form.
    public static let recommended = ScryptCost(logRounds: 14, blockSize: 8, parallelism: 5)

    /// A cost for tests only, because it doesn't protect a password.
    public static let insecurelyCheap = ScryptCost(logRounds: 4, blockSize: 8, parallelism: 1)

    /// Whether the parameters are within bounds; a damaged row must not use up all memory.
    var isBounded: Bool {
        (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
    }
}
