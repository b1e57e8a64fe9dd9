#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
public import HTTPTypes
import NIOCore

/// The transport on Linux: AsyncHTTPClient, with redirects, connection retries and decompression off.
///
/// A connection is verified against the system's certificate authorities, or those of its ``TransportSettings``, with TLS
/// 1.2 or later. A body of unknown length is sent chunked. An answer that comes before the body was sent is the answer:
/// what is left of the body is not sent, and the connection is closed. Interim answers (1xx) are skipped. Header fields
/// of more than 80 KiB are ``TransportError`` `responseTooLarge`. A compressed answer comes as it was sent. HTTP/1.1 is
/// spoken. The client asks no proxy unless it was given one, and then not for plain http to a loopback address; it reports
/// nothing to a process-wide tracer, which would see addresses whole.
public final class AsyncHTTPClientTransport: Transport, CustomReflectable {
    private let client: HTTPClient
    /// Without the proxy, for addresses that never leave the machine; nil where there is no proxy.
    private let direct: HTTPClient?

    /// Makes a transport with a connection pool of its own, which ends with it.
    public init() {
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: AsyncHTTPClientConfiguration.make(connectTimeout: TransportSettings().connectTimeout)
        )
        direct = nil
    }

    /// Makes a transport with settings, and a connection pool of its own, which ends with it.
    ///
    /// - Parameter settings: Who is trusted, and which way requests go.
    /// - Throws: ``TransportSettingsError`` (`noCertificate`, `unreadableCertificates`, `invalidProxy`).
    public init(settings: TransportSettings) throws {
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: try AsyncHTTPClientConfiguration.make(settings)
        )
        var withoutProxy = settings
        withoutProxy.proxy = nil
        direct =
            settings.proxy == nil
            ? nil
            : HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: try AsyncHTTPClientConfiguration.make(withoutProxy)
            )
    }

    deinit {
        // The closure keeps the client until its connections are closed. There is nobody left to tell of a failure.
        client.shutdown { _ in }
        direct?.shutdown { _ in }
    }

    /// Without children: the pool below holds requests and a proxy's password.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Plain http to a loopback address is taken for safe because it stays on the machine: no proxy is to see it.
    private func client(for request: TransportRequest) -> HTTPClient {
        guard let direct, request.head.scheme?.lowercased() == "http",
            let base = try? BaseURL("http://\(request.head.authority ?? "")"), LoopbackHost.contains(base.host)
        else { return client }
        return direct
    }

    /// Sends one request.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once when the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await exchange(request) { try await $0.whole(for: request, within: $1) }
    }

    /// Sends one request and reads the answer while it comes.
    ///
    /// The server is held back while `read` does not ask for more. The connection is given up where `read` leaves before
    /// the end.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - read: Given the head, and the body while it comes.
    /// - Returns: What `read` returns.
    /// - Throws: ``TransportError``; what `read` throws; `CancellationError` at once when the task is cancelled.
    public func stream<Value: Sendable>(
        _ request: TransportRequest,
        _ read: @Sendable (HTTPResponse, ResponseBody) async throws -> Value
    ) async throws -> Value {
        try await exchange(request) { try await $0.streamed(for: request, within: $1, read) }
    }

    private func exchange<Value: Sendable>(
        _ request: TransportRequest,
        _ take: (IncomingAnswer, Duration) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let check = try RequestCheck(request)
        let deadline = Deadline(in: request.timeout, on: .suspending)
        let exchange = AsyncHTTPClientExchange(try await request.body.outgoing(until: deadline))
        let tasks = exchange.start(check.clientRequest(request, body: exchange.clientBody), with: client(for: request))
        // Not waited for: a caller that leaves does so at once, whatever they are at.
        defer { exchange.end(tasks) }
        do {
            return try await take(exchange.answer, deadline.remaining)
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw error
        }
    }
}
#endif
