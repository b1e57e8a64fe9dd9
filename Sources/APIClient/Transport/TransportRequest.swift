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
    /// The body; nil if there is none.
    ///
    /// May hold secrets.
    public var body: [UInt8]?
    /// The longest wait for the whole response.
    public var timeout: Duration
    /// The largest response body that is read, in bytes after decompression.
    ///
    /// A larger one is ``TransportError`` `responseTooLarge` and is never cut.
    public var maximumResponseSize: Int
    /// Whether the request must reach the server at most once.
    ///
    /// If so, the transport opens a connection for it alone: an HTTP client sends a request again by itself if a kept
    /// connection turns out to be closed. False by default.
    public var sendsOnce: Bool
    /// A check right before the request is sent, once the connection is ready; nil if it may always be sent.
    ///
    /// If it returns false, nothing is sent, and the error is ``TransportError`` `notSent`. So a slow connection can't
    /// outlast the time in which a server accepts a request.
    public var sendGuard: (@Sendable () -> Bool)?

    /// Creates a request.
    ///
    /// - Parameter head: The head, with scheme, authority and path.
    public init(
        head: HTTPRequest,
        body: [UInt8]? = nil,
        timeout: Duration = .seconds(30),
        maximumResponseSize: Int = 8 * 1_024 * 1_024,
        sendsOnce: Bool = false,
        sendGuard: (@Sendable () -> Bool)? = nil
    ) {
        self.head = head
        self.body = body
        self.timeout = timeout
        self.maximumResponseSize = maximumResponseSize
        self.sendsOnce = sendsOnce
        self.sendGuard = sendGuard
    }

    /// Asks the ``sendGuard``, right before the request is sent.
    ///
    /// - Throws: ``TransportError`` (`notSent`).
    package func checkSendGuard() throws {
        guard sendGuard?() ?? true else { throw TransportError(.notSent, mayHaveReachedServer: false) }
    }

    /// The method.
    public var description: String { "\(head.method.rawValue) <redacted>" }
}
