// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || !AsyncHTTPClient
import AuthCore
public import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The transport on Apple systems, and on Linux if the `AsyncHTTPClient` trait is off.
///
/// The system's client has these limits:
///
/// - A body is in memory while it is sent, so a body of more than ``maximumBodySize`` is ``TransportError``
///   `bodyFailed`.
/// - The server is not held back by a slow reader of ``stream(_:_:)``: a reader that is ``maximumUnreadSize`` behind
///   gets ``TransportError`` `responseTooLarge`.
/// - Header fields of one name are sent and received as one, joined by commas. A compressed response is decompressed.
/// - ``TransportSettings`` can't set certificate authorities, a client certificate or a proxy.
///
/// It has these further limits on Linux:
///
/// - A running task is never cancelled, because the client may then crash or never return. If the caller is cancelled,
///   its time is up or its response is too large, the call ends at once. The request ends by itself, and its response
///   is discarded.
/// - The environment's proxy is used.
/// - Each request has a connection of its own: if a kept connection ended, the client would send a POST twice by
///   itself.
/// - A connection that ended in the middle of a response, a TLS failure and a head without end are unknown errors:
///   ``TransportError`` `failed`.
/// - Fields of one name have no order if their names differ in case.
public final class URLSessionTransport: Transport, CustomReflectable {
    /// The largest body that is sent, in bytes.
    public static let maximumBodySize = 64 * 1_024 * 1_024
    /// The largest part of a stream, in bytes, that the server may be ahead of the reader.
    public static let maximumUnreadSize = 16 * 1_024 * 1_024

    private let sessions: URLSessions

    /// Creates a transport with an ephemeral session: no cookies, no cache, no stored credentials.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        sessions = URLSessions(configuration)
    }

    /// Creates a transport with settings.
    ///
    /// - Parameter settings: The settings, without certificate authorities, client certificate and proxy. The
    ///   connection timeout is not used: a connection has the request's timeout.
    /// - Throws: ``TransportSettingsError`` (`unsupported`).
    public convenience init(settings: TransportSettings) throws {
        guard settings.certificateAuthorities.pem == nil, settings.clientCertificate == nil, settings.proxy == nil
        else { throw TransportSettingsError(.unsupported) }
        self.init()
    }

    /// A mirror without children, because the sessions hold requests.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Sends one request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once if the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let limit = URLSessionExchange.Limit(total: request.maximumResponseSize, unread: .max)
        return try await exchange(request, limit) { try await $0.whole(for: request, within: $1) }
    }

    /// Sends one request and reads the response while it arrives.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - read: The reader of the head, and of the body while it arrives. The server is not held back: see the type.
    /// - Returns: The value of `read`.
    /// - Throws: ``TransportError``; an error of `read`; `CancellationError` at once if the task is cancelled.
    public func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        let limit = URLSessionExchange.Limit(total: .max, unread: Self.maximumUnreadSize)
        return try await exchange(request, limit) { try await $0.streamed(for: request, within: $1, read) }
    }

    private func exchange<Value: Sendable>(
        _ request: TransportRequest,
        _ limit: URLSessionExchange.Limit,
        _ take: (IncomingResponse, Duration) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let deadline = Deadline(in: request.timeout, on: .suspending)
        do {
            var urlRequest = try Self.urlRequest(request)
            urlRequest.httpBody = try await Self.wholeBody(request.body, until: deadline)
            try Task.checkCancellation()
            let exchange = URLSessionExchange(limit)
            let leave = sessions.start(urlRequest, exchange)
            defer { leave() }
            return try await take(exchange.incoming, deadline.remaining)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// Reads a body of any kind into memory.
    private static func wholeBody(_ body: RequestBody, until deadline: Deadline) async throws -> Data? {
        if body.isNone { return nil }
        if let bytes = body.unreportedBytes, bytes.count <= maximumBodySize { return Data(bytes) }
        let late = TransportError(.timedOut, mayHaveReachedServer: false)
        return try await deadline.limit(throwing: late) { try await gathered(body) }
    }

    private static func gathered(_ body: RequestBody) async throws -> Data {
        var data = Data()
        do {
            for try await chunk in try await body.chunks() {
                guard chunk.count <= maximumBodySize - data.count else {
                    throw TransportError(.bodyFailed, mayHaveReachedServer: false)
                }
                data.append(contentsOf: chunk)
            }
        } catch {
            throw OutgoingChunks.fault(error, mayHaveReachedServer: false)
        }
        return data
    }

    private static func urlRequest(_ request: TransportRequest) throws -> URLRequest {
        guard let url = URL(string: try RequestCheck(request).url) else {
            throw TransportError(.invalidRequest, mayHaveReachedServer: false)
        }
        // This timeout restarts with every byte. The `IdleTimer` of the response limits the whole.
        let timeout = min(max(1, request.timeout / .seconds(1) + 1), 86_400)
        var result = URLRequest(url: url, timeoutInterval: timeout)
        result.httpMethod = request.head.method.rawValue
        result.httpShouldHandleCookies = false
        for field in request.head.headerFields {
            result.addValue(field.value, forHTTPHeaderField: field.name.canonicalName)
        }
        return result
    }
}
#endif
