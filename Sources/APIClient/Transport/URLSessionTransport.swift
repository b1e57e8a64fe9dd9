#if canImport(Darwin) || !AsyncHTTPClient
public import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The transport on Apple systems; on Linux only where the `AsyncHTTPClient` trait is off.
///
/// What the system's client can't do:
///
/// - A body is in memory while it is sent, so one of more than ``maximumBodySize`` is ``TransportError`` `bodyFailed`.
/// - The server is not held back by a reader of ``stream(_:_:)``: one who is ``maximumUnreadSize`` behind gets
///   ``TransportError`` `responseTooLarge`.
/// - Header fields of one name come and go as one, joined by commas. A compressed answer is expanded.
///
/// And on Linux:
///
/// - A running task is never cancelled, because the client may then crash or never return: a cancelled caller, one whose
///   time is up and one whose answer is too large leaves at once, and the request ends by itself with nobody keeping what
///   it brings.
/// - No setting of ``TransportSettings`` but the default is possible, and the environment's proxy is used.
/// - Each request has a connection of its own: where a kept one ends, the client would send a POST twice by itself.
/// - The client tells a connection that ended in the middle of an answer, a TLS failure and a head without end as unknown
///   faults: ``TransportError`` `failed`.
/// - Fields of one name have no order where their names differ in case.
public final class URLSessionTransport: Transport, CustomReflectable {
    /// The longest body that is sent, in bytes.
    public static let maximumBodySize = 64 * 1_024 * 1_024
    /// How far the reader of a stream may be behind, in bytes.
    public static let maximumUnreadSize = 16 * 1_024 * 1_024

    private let sessions: URLSessions

    /// Makes a transport with an ephemeral session: no cookies, no cache, no stored credentials.
    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = 64
        sessions = URLSessions(configuration)
    }

    /// Makes a transport with settings.
    ///
    /// - Parameter settings: Without certificate authorities and proxy of their own. The time for a connection is within the
    ///   request's timeout here, and has none of its own.
    /// - Throws: ``TransportSettingsError`` (`unsupported`).
    public convenience init(settings: TransportSettings) throws {
        guard settings.certificateAuthorities.pem == nil, settings.proxy == nil else {
            throw TransportSettingsError(.unsupported)
        }
        self.init()
    }

    /// Without children: the sessions below hold requests.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Sends one request.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once when the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let limit = URLSessionExchange.Limit(total: request.maximumResponseSize, unread: .max)
        return try await exchange(request, limit) { try await $0.whole(for: request, within: $1) }
    }

    /// Sends one request and reads the answer while it comes.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - read: Given the head, and the body while it comes. The server is not held back: see the type.
    /// - Returns: What `read` returns.
    /// - Throws: ``TransportError``; what `read` throws; `CancellationError` at once when the task is cancelled.
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
        _ take: (IncomingAnswer, Duration) async throws -> Value
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
            return try await take(exchange.answer, deadline.remaining)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }

    /// A body of any kind, in memory.
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
            throw BodyToSend.fault(error, mayHaveReachedServer: false)
        }
        return data
    }

    private static func urlRequest(_ request: TransportRequest) throws -> URLRequest {
        guard let url = URL(string: try RequestCheck(request).url) else {
            throw TransportError(.invalidRequest, mayHaveReachedServer: false)
        }
        // Begins anew with every byte; how long the whole may take is watched beside it.
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
