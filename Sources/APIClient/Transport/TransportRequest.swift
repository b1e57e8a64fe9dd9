// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A request as it is sent.
///
/// Its path, header fields and body may hold secrets. Its description shows its method alone.
public struct TransportRequest: Sendable, Redacted {
    /// The method, scheme, authority, path and header fields.
    public var head: HTTPRequest
    /// The body; nil if there is none.
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

    public var description: String { "\(head.method.rawValue) <redacted>" }

    /// Asks the ``sendGuard``, right before the request is sent.
    ///
    /// - Throws: ``TransportError`` (`notSent`).
    package func checkSendGuard() throws {
        guard sendGuard?() ?? true else { throw TransportError(.notSent, mayHaveReachedServer: false) }
    }

    /// Whether the request may be repeated even if the server has received it.
    ///
    /// [RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
    var isIdempotent: Bool {
        let methods = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY", "PUT", "DELETE"]
        return !sendsOnce
            && (methods.contains(head.method.rawValue)
                || HTTPField.Name("Idempotency-Key").map { head.headerFields.contains($0) } == true)
    }
}

/// The check of a request before any of it is sent.
///
/// HTTP clients repair or drop invalid parts, or name them in an error: all three are wrong for a credential.
extension TransportRequest {
    /// Returns the URL of a valid request.
    ///
    /// - Throws: ``TransportError`` (`invalidRequest`).
    func checkedURL() throws -> String {
        guard let scheme = head.scheme, scheme == "http" || scheme == "https",
            let authority = head.authority, Self.isAuthority(authority),
            let path = head.path, Self.isTarget(path),
            head.headerFields.allSatisfy(Self.isAllowed)
        else { throw TransportError(.invalidRequest, mayHaveReachedServer: false) }
        return "\(scheme)://\(authority)\(path)"
    }

    /// Whether a text is host and port: no user information, no character that ends an authority, no blank.
    ///
    /// [RFC 9110, 4.2.4](https://www.rfc-editor.org/rfc/rfc9110#section-4.2.4).
    private static func isAuthority(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isVisible($0) && !"@/?#\\%".utf8.contains($0) }
    }

    /// Whether a text is path and query, escaped already.
    ///
    /// [RFC 9112, 3.2.1](https://www.rfc-editor.org/rfc/rfc9112#section-3.2.1).
    private static func isTarget(_ text: String) -> Bool {
        text.utf8.first == UInt8(ascii: "/") && text.utf8.allSatisfy { isVisible($0) && $0 != UInt8(ascii: "#") }
    }

    /// The fields for framing and routing, which only the client may write.
    ///
    /// Two framing fields that disagree let one server read as a request what another read as a body. A caller's `Host`
    /// would send a credential to another site than the one it was checked for.
    /// [RFC 9112, 11.2](https://www.rfc-editor.org/rfc/rfc9112#section-11.2) and
    /// [3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
    private static let reservedNames: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Whether a field is the caller's to write, and its value has no control character but the tab.
    ///
    /// [RFC 9110, 5.5](https://www.rfc-editor.org/rfc/rfc9110#section-5.5).
    private static func isAllowed(_ field: HTTPField) -> Bool {
        field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
            && !reservedNames.contains(field.name.canonicalName)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}
