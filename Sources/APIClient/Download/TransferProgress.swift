// SPDX-License-Identifier: Apache-2.0

/// The progress of a transfer.
public struct TransferProgress: Sendable, Hashable {
    /// The number of bytes received so far.
    public let bytes: Int
    /// The total number of bytes according to the server, which may be wrong; nil if it did not say.
    public let expectedTotal: Int?

    /// Creates a value, for clients and their test doubles.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes received so far.
    ///   - expectedTotal: The total number of bytes; nil if it is not known.
    public init(bytes: Int, expectedTotal: Int?) {
        self.bytes = bytes
        self.expectedTotal = expectedTotal
    }
}
