// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The beginning of a failed response's body.
///
/// Its description is `<redacted>`, because servers repeat secrets of the request. The raw bytes are untrusted.
public struct ErrorBody: Secret {
    static let maximumLength = 4_096

    /// The first 4,096 bytes.
    ///
    /// May hold secrets.
    public let unredacted: [UInt8]
    /// Whether the body is longer.
    public let isTruncated: Bool

    /// Takes the beginning of a body, for clients and their test doubles.
    ///
    /// - Parameter body: The body, or more than the first 4,096 bytes of it.
    public init(_ body: [UInt8]) {
        unredacted = Array(body.prefix(Self.maximumLength))
        isTruncated = body.count > Self.maximumLength
    }
}
