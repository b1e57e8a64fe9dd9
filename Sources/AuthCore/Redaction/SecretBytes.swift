/// Bytes that never show themselves, for what a store keeps.
public struct SecretBytes: Secret {
    /// The raw bytes.
    ///
    /// Secret.
    public let unredacted: [UInt8]

    /// Wraps bytes of any content, NUL included.
    ///
    /// - Parameter bytes: The value. Secret.
    public init(_ bytes: some Sequence<UInt8>) {
        unredacted = Array(bytes)
    }

    /// The number of bytes, which is no secret.
    public var count: Int { unredacted.count }

    /// Compares in constant time.
    public static func == (left: Self, right: Self) -> Bool {
        ConstantTime.equal(left.unredacted, right.unredacted)
    }
}
