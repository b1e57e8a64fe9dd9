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
    /// Whether the request must reach a server at most once, such as one with an authorization code.
    ///
    /// It then has a connection of its own: on a kept one, a client can't tell a lost request from a lost response.
    public var sendsOnce: Bool
    /// The check whether the request may still be sent, asked once there is a connection; nil if it always may.
    ///
    /// If it returns false, the request ends with ``TransportError`` `notSent`. It must not block.
    public var sendGuard: (@Sendable () -> Bool)?

    /// Creates a request; the head needs scheme, authority and path.
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
