// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A request as it is sent.
///
/// Its description shows its method alone.
public struct TransportRequest: Sendable, Redacted {
    /// The method, scheme, authority, path and header fields.
    ///
    /// The path and the fields may hold secrets.
    public var head: HTTPRequest
    /// The body.
    public var body: RequestBody
    /// The longest wait for the whole response.
    public var timeout: Duration
    /// The largest response body that is read, in bytes.
    ///
    /// A larger one is an error and is never cut.
    public var maximumResponseSize: Int

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - head: The head, with scheme, authority and path.
    ///   - body: The body.
    ///   - timeout: The longest wait for the whole response.
    ///   - maximumResponseSize: The largest response body, in bytes.
    public init(
        head: HTTPRequest,
        body: RequestBody = .none,
        timeout: Duration = .seconds(30),
        maximumResponseSize: Int = 8 * 1_024 * 1_024
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.maximumResponseSize = maximumResponseSize
    }

    /// The method.
    public var description: String { "\(head.method.rawValue) <redacted>" }
}
