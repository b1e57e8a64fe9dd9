// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A response as it was received.
///
/// All of it is untrusted. Its description shows its status and its length.
public struct TransportResponse: Sendable, Redacted {
    /// The status and header fields.
    ///
    /// May hold secrets.
    public var head: HTTPResponse
    /// The whole body, decompressed.
    ///
    /// May hold secrets.
    public var body: [UInt8]
    /// The values that its request held, which no error may repeat.
    ///
    /// Set by the client.
    package internal(set) var sent = SentValues()

    /// Creates a response.
    public init(head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// The status and the length.
    public var description: String { "\(head.status.code), \(body.count) bytes" }
}
