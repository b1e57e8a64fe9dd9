// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A transport, which carries one request to a server and one response back.
///
/// It follows no redirect, repeats nothing, keeps no cookie and adds no credential: the client decides all that. It
/// ends at once if its task is cancelled, and never waits longer than the request's timeout.
public protocol Transport: Sendable {
    /// Whether the transport presents a client certificate to a server that requests one.
    ///
    /// False unless the type says otherwise. A transport around another one returns the other's value.
    /// [RFC 8705, 2](https://www.rfc-editor.org/rfc/rfc8705#section-2).
    var presentsClientCertificate: Bool { get }

    /// Sends one request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, of any status, with its whole body.
    /// - Throws: ``TransportError`` if there was no response; `CancellationError`.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Sends one request and reads the response while it arrives.
    ///
    /// The timeout covers the response's head, and then the wait for each chunk of the body.
    /// ``TransportRequest/maximumResponseSize`` does not apply.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - read: The reader of the head, and of the body while it arrives. The unread rest is discarded.
    /// - Returns: The value of `read`.
    /// - Throws: ``TransportError`` if there was no response; an error of `read`; `CancellationError`.
    func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value
}

extension Transport {
    /// Reads the whole response first, for test doubles.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - read: The reader of the head and the body.
    /// - Returns: The value of `read`.
    /// - Throws: Any error of ``Transport/send(_:)``; an error of `read`.
    public func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let response = try await send(request)
        return try await read(response.head, ResponseBody(response.body))
    }
}
