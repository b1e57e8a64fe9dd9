public import AuthCore
import HTTPTypes
public import Logging

/// Calls an API on behalf of who is signed in.
///
/// A request that requires authentication carries the access token. Answered with 401, it is sent once more with another
/// token; a second 401 is ``APIError`` `unauthorized` and ends nothing. Credentials go to the base address's origin and
/// nowhere else: redirects are not followed.
public struct APIClient: Sendable {
    /// Where the server lives.
    public let baseURL: BaseURL
    private static let apiKeyField = HTTPField.Name("X-API-Key")
    private let source: (any AccessTokenSource)?
    private let apiKey: APIKey?
    private let transport: any Transport
    private let timeout: Duration
    private let logger: Logger

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server lives; the only origin that credentials go to.
    ///   - source: Who is asked for the access token; nil for an API without sign-in.
    ///   - apiKey: Sent as `X-API-Key` with every request, where given. Secret.
    ///   - transport: What carries the requests; nil for the platform's.
    ///   - timeout: The longest wait for one answer.
    ///   - logger: Told method, path and status at level `debug`; never a query, header or body. Silent by default.
    public init(
        baseURL: BaseURL,
        authenticatedBy source: (any AccessTokenSource)? = nil,
        apiKey: APIKey? = nil,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.api", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        self.baseURL = baseURL
        self.source = source
        self.apiKey = apiKey
        self.transport = transport ?? DefaultTransport.make()
        self.timeout = timeout
        self.logger = logger
    }

    /// Calls an endpoint.
    ///
    /// Cancelled, it ends at once; what was sent may still be carried out by the server.
    ///
    /// - Parameter endpoint: What to call.
    /// - Returns: What the endpoint answers.
    /// - Throws: ``APIError``; the token source's error where there is no token; `CancellationError`.
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws -> Response {
        let response = try await exchange(endpoint)
        guard endpoint.acceptsAnyStatus || response.head.status.kind == .successful else {
            throw FailureAnswer.error(for: response)
        }
        return try endpoint.decode(response)
    }

    private func exchange<Response>(_ endpoint: Endpoint<Response>) async throws -> TransportResponse {
        let request = try request(for: endpoint)
        // A request that brings its own Authorization keeps it.
        guard endpoint.requiresAuthentication, let source, request.head.headerFields[.authorization] == nil else {
            return try await transmit(request)
        }
        let token = try await source.accessToken()
        let first = try await transmit(request, with: token)
        guard first.head.status == .unauthorized else { return first }
        logger.debug("answered 401, asking for another token")
        let other = try await source.accessToken(insteadOf: token)
        return try await transmit(request, with: other)
    }

    private func request<Response>(for endpoint: Endpoint<Response>) throws -> TransportRequest {
        let target = try RequestTarget.make(prefix: baseURL.pathPrefix, path: endpoint.path, query: endpoint.query)
        var head = HTTPRequest(
            method: endpoint.method,
            scheme: baseURL.scheme,
            authority: baseURL.authority,
            path: target,
            headerFields: endpoint.headers
        )
        if head.headerFields[.accept] == nil { head.headerFields[.accept] = "application/json" }
        if let apiKey, let field = Self.apiKeyField { head.headerFields[field] = apiKey.unredacted }
        return TransportRequest(head: head, body: endpoint.body, timeout: timeout)
    }

    /// Wire: `Authorization: Bearer`.
    ///
    /// [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    private func transmit(_ request: TransportRequest, with token: AccessToken) async throws -> TransportResponse {
        var request = request
        request.head.headerFields[.authorization] = "Bearer \(token.unredacted)"
        return try await transmit(request)
    }

    private func transmit(_ request: TransportRequest) async throws -> TransportResponse {
        let path = request.head.path?.prefix { $0 != "?" } ?? ""
        do {
            let response = try await transport.send(request)
            logger.debug("\(request.head.method.rawValue) \(path): \(response.head.status.code)")
            return response
        } catch let fault as TransportError {
            logger.debug("\(request.head.method.rawValue) \(path): no answer (\(fault.code))")
            throw APIError(.unreachable, underlying: fault)
        }
    }
}
