// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A transport, which carries one request to a server and one response back.
///
/// It follows no redirect, keeps no cookie and adds no credential: the client decides all that. It ends at once if its
/// task is cancelled, and never waits longer than the request's timeout. It may repeat an idempotent request on a kept
/// connection that ended without a response; any other request reaches the server at most once.
public protocol Transport: Sendable {
    /// Sends one request, and returns its response, of any status.
    ///
    /// - Throws: ``TransportError`` if there was no complete response; `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

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
        (self.head, self.body, self.timeout) = (head, body, timeout)
        (self.maximumResponseSize, self.sendsOnce, self.sendGuard) = (maximumResponseSize, sendsOnce, sendGuard)
    }

    public var description: String { "\(head.method.rawValue) <redacted>" }

    /// Asks the ``sendGuard``, right before the request is sent; throws ``TransportError`` (`notSent`).
    package func checkSendGuard() throws {
        guard sendGuard?() ?? true else { throw TransportError(.notSent, mayHaveReachedServer: false) }
    }

    /// Whether the request may be repeated even if the server has received it (RFC 9110, 9.2.2).
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
    /// The fields for framing and routing, which only the client may write.
    ///
    /// Two framing fields that disagree let one server read as a request what another read as a body. A caller's `Host`
    /// would send a credential to another site than the one it was checked for. RFC 9112, 11.2 and 3.2.
    private static let reservedNames: Set<String> = [
        "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    /// Returns the URL of a valid request; throws ``TransportError`` (`invalidRequest`).
    func checkedURL() throws -> String {
        guard let scheme = head.scheme, scheme == "http" || scheme == "https",
            // Host and port, without a user.
            let authority = head.authority, !authority.isEmpty, Self.isVisible(authority, without: "@/?#\\%"),
            // Escaped already.
            let path = head.path, path.utf8.first == UInt8(ascii: "/"), Self.isVisible(path, without: "#"),
            head.headerFields.allSatisfy(Self.isAllowed)
        else { throw TransportError(.invalidRequest, mayHaveReachedServer: false) }
        return "\(scheme)://\(authority)\(path)"
    }

    private static func isVisible(_ text: String, without others: String) -> Bool {
        text.utf8.allSatisfy { TokenCharacters.isVisibleWithoutSpace($0) && !others.utf8.contains($0) }
    }

    /// Whether a field is the caller's to write, and its value has no control character but the tab.
    private static func isAllowed(_ field: HTTPField) -> Bool {
        field.value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
            && !reservedNames.contains(field.name.canonicalName)
    }
}

/// A response as it was received.
///
/// All of it is untrusted, and may hold secrets. Its description shows its status and its length.
public struct TransportResponse: Sendable, Redacted {
    /// The status and header fields.
    public var head: HTTPResponse
    /// The whole body, decompressed.
    public var body: [UInt8]
    /// The values that its request held, which no error may repeat; set by the client.
    package internal(set) var sent = SentValues()

    /// Creates a response.
    public init(head: HTTPResponse, body: [UInt8] = []) { (self.head, self.body) = (head, body) }

    public var description: String { "\(head.status.code), \(body.count) bytes" }
}

/// The transport of everything that was not given one.
package enum DefaultTransport {
    /// URLSession on Apple systems, libcurl on Linux, for the life of the process.
    package static let shared: any Transport = {
        #if canImport(Darwin)
        URLSessionTransport()
        #elseif Curl
        CurlTransport()
        #else
        UnavailableTransport()
        #endif
    }()
}

#if !canImport(Darwin) && !Curl
/// A transport that sends nothing, because the trait `Curl` is off.
private struct UnavailableTransport: Transport {
    func send(_ request: TransportRequest) async throws -> TransportResponse {
        throw TransportError(.failed, mayHaveReachedServer: false)
    }
}
#endif
