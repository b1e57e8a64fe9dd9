// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import AuthCore
public import HTTPTypes
import NIOCore

/// The transport on Linux: AsyncHTTPClient, with redirects, connection retries and decompression off.
///
/// A connection is verified against the system's certificate authorities, or those of its ``TransportSettings``, with
/// TLS 1.2 or later. A body of unknown length is sent chunked. If the response comes before the body was sent, the rest
/// of the body is not sent, and the connection is closed. Interim responses (1xx) are skipped. Header fields of more
/// than 80 KiB are ``TransportError`` `responseTooLarge`. A compressed response is not decompressed. The protocol is
/// HTTP/1.1. The client uses a proxy only if it was given one, and not for plain http to a loopback address. It reports
/// nothing to a process-wide tracer, which would see complete URLs.
public final class AsyncHTTPClientTransport: Transport, CustomReflectable {
    /// Whether the transport presents a client certificate to a server that requests one.
    public let presentsClientCertificate: Bool
    private let client: HTTPClient
    /// The client without the proxy, for plain http to a loopback address; nil if there is no proxy.
    private let direct: HTTPClient?

    /// Creates a transport with a connection pool of its own, which ends with it.
    public init() {
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: AsyncHTTPClientConfiguration.make(connectTimeout: TransportSettings().connectTimeout)
        )
        direct = nil
        presentsClientCertificate = false
    }

    /// Creates a transport with settings, and a connection pool of its own, which ends with it.
    ///
    /// - Parameter settings: The certificate authorities, the client certificate, the proxy and the connection timeout.
    /// - Throws: ``TransportSettingsError`` (`noCertificate`, `invalidProxy`, `unreadableClientCertificate`,
    ///   `invalidClientCertificate`, `invalidClientKey`, `clientKeyMismatch`).
    public init(settings: TransportSettings) throws {
        presentsClientCertificate = settings.clientCertificate != nil
        // Made once, before the first client: a client that is not shut down traps, so nothing may throw after it.
        var configuration = try AsyncHTTPClientConfiguration.make(settings)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        configuration.proxy = nil
        direct =
            settings.proxy == nil ? nil : HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // The closure keeps the client until its connections are closed. A failure can't be reported any more.
        client.shutdown { _ in }
        direct?.shutdown { _ in }
    }

    /// A mirror without children, because the pool holds requests and a proxy's password.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Returns the client without the proxy for plain http to a loopback address.
    ///
    /// Such a request counts as safe because it stays on the machine, so no proxy may see it.
    private func client(for request: TransportRequest) -> HTTPClient {
        guard let direct, request.head.scheme?.lowercased() == "http",
            let base = try? BaseURL("http://\(request.head.authority ?? "")"), LoopbackHost.contains(base.host)
        else { return client }
        return direct
    }

    /// Sends one request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once if the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await exchange(request) { try await $0.whole(for: request, within: $1) }
    }

    /// Sends one request and reads the response while it arrives.
    ///
    /// The server is held back while `read` does not ask for more. If `read` returns before the end, the connection is
    /// closed.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - read: The reader of the head, and of the body while it arrives.
    /// - Returns: The value of `read`.
    /// - Throws: ``TransportError``; an error of `read`; `CancellationError` at once if the task is cancelled.
    public func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        try await exchange(request) { try await $0.streamed(for: request, within: $1, read) }
    }

    private func exchange<Value: Sendable>(
        _ request: TransportRequest,
        _ take: (IncomingResponse, Duration) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let check = try RequestCheck(request)
        let deadline = Deadline(in: request.timeout, on: .suspending)
        let exchange = AsyncHTTPClientExchange(try await request.body.outgoing(until: deadline))
        let tasks = exchange.start(check.clientRequest(request, body: exchange.clientBody), with: client(for: request))
        // The tasks are not awaited, so that a caller that is cancelled or times out returns at once.
        defer { exchange.end(tasks) }
        do {
            return try await take(exchange.incoming, deadline.remaining)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }
}
#endif
