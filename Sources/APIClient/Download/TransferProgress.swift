/// How far a transfer is.
public struct TransferProgress: Sendable, Hashable {
    /// How many bytes came so far.
    public let bytes: Int
    /// How many will come, where the server said; it may say wrong.
    public let expectedTotal: Int?

    /// Makes a value, for clients and their doubles.
    ///
    /// - Parameters:
    ///   - bytes: How many bytes came so far.
    ///   - expectedTotal: How many will come.
    public init(bytes: Int, expectedTotal: Int?) {
        self.bytes = bytes
        self.expectedTotal = expectedTotal
    }
}
