#if AsyncHTTPClient && canImport(AsyncHTTPClient)
import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The transport on Linux: AsyncHTTPClient, with redirects and connection retries off.
public final class AsyncHTTPClientTransport: Transport {
    private let client: HTTPClient

    /// Makes a transport with a connection pool of its own, which ends with it.
    public init() {
        var configuration = HTTPClient.Configuration()
        // Redirected, the client would forward `X-API-Key` to another host.
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = .seconds(10)
        // Left on, a refused connection would be tried again until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        // The closure keeps the client until its connections are closed. There is nobody left to tell of a failure.
        client.shutdown { _ in }
    }

    /// Sends one request.
    ///
    /// - Parameter request: What to send.
    /// - Returns: The answer, of any status.
    /// - Throws: ``TransportError``; `CancellationError` at once when the task is cancelled.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        let deadline = Deadline(in: request.timeout, on: ContinuousClock())
        do {
            let response = try await client.execute(
                try await Self.clientRequest(request),
                timeout: .nanoseconds(Int64(deadline.remaining / .nanoseconds(1)))
            )
            // The client's own deadline ends with the head of the answer.
            let body = try await deadline.limit(throwing: TransportError(.timedOut, mayHaveReachedServer: true)) {
                try await response.body.collect(upTo: request.maximumResponseSize)
            }
            return TransportResponse(head: Self.head(of: response), body: Array(body.readableBytesView))
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw AsyncHTTPClientFault.transportError(for: error)
        }
    }

    private static func clientRequest(_ request: TransportRequest) async throws -> HTTPClientRequest {
        guard let scheme = request.head.scheme, let authority = request.head.authority, let path = request.head.path
        else { throw TransportError(.failed, mayHaveReachedServer: false) }
        var result = HTTPClientRequest(url: "\(scheme)://\(authority)\(path)")
        result.method = HTTPMethod(rawValue: request.head.method.rawValue)
        for field in request.head.headerFields {
            result.headers.add(name: field.name.canonicalName, value: field.value)
        }
        if let bytes = request.body.bytes {
            result.body = .bytes(bytes)
        } else if !request.body.isNone {
            let chunks = try await request.body.chunks()
            result.body = .stream(
                chunks.map { ByteBuffer(bytes: $0) },
                length: request.body.length.map { .known(Int64($0)) } ?? .unknown
            )
        }
        return result
    }

    private static func head(of response: HTTPClientResponse) -> HTTPResponse {
        var fields = HTTPFields()
        for header in response.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        return HTTPResponse(status: .init(code: Int(response.status.code)), headerFields: fields)
    }
}
#endif
