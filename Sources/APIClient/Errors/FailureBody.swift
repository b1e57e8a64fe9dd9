public import AuthCore

/// The beginning of what a server said with a failure.
///
/// Printed it shows `<redacted>`: servers repeat what they were sent. The raw bytes are the server's word.
public struct FailureBody: Secret {
    static let maximumLength = 4_096

    /// The first 4,096 bytes.
    ///
    /// May hold secrets.
    public let unredacted: [UInt8]
    /// Whether there was more.
    public let isTruncated: Bool

    /// Takes the beginning of a body, for clients and their doubles.
    ///
    /// - Parameter body: The body, or more than the first 4,096 bytes of it.
    public init(_ body: [UInt8]) {
        unredacted = Array(body.prefix(Self.maximumLength))
        isTruncated = body.count > Self.maximumLength
    }
}
