// SPDX-License-Identifier: Apache-2.0

public import AuthCore
import HTTPTypes
public import Logging

/// A client that calls an API on behalf of the signed-in user.
///
/// A request that requires authentication carries the access token. After a 401 it is sent once more with another
/// token. A second 401 is ``APIError`` `unauthorized` and does not end the session. Transient errors are retried if
/// that is safe, and one timeout covers the whole call. Credentials go to the origins that the client was created for
/// and nowhere else, even after a redirect.
public struct APIClient: Sendable, CustomReflectable {
    /// The server's address.
    public let baseURL: BaseURL
    let configuration: Configuration
    let context: ClientContext
    /// The origins that credentials go to.
    let origins: Set<String>
    let sensitiveHeaderFields: Set<HTTPField.Name>

    /// A mirror without children, because they hold the API key and a transport with requests in progress.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Creates a client with the default settings.
    ///
    /// - Parameters:
    ///   - baseURL: The server's address, the only origin that credentials go to.
    ///   - source: The source of access tokens; nil for an API without sign-in.
    ///   - apiKey: The API key, sent as `X-API-Key` with every request; nil if the API has no key. Secret.
    ///   - transport: The transport; nil for the platform's default.
    ///   - timeout: The time limit of one call, all attempts included.
    ///   - logger: The logger of method, path and status at level `debug`; never of a query, header or body. Silent by
    ///     default.
    public init(
        baseURL: BaseURL,
        authenticatedBy source: (any AccessTokenSource)? = nil,
        apiKey: APIKey? = nil,
        transport: (any Transport)? = nil,
        timeout: Duration = .seconds(30),
        logger: Logger = Logger(label: "sallyport.api", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        var configuration = Configuration()
        configuration.timeout = timeout
        configuration.logger = logger
        self.init(
            baseURL: baseURL,
            authenticatedBy: source,
            apiKey: apiKey,
            transport: transport,
            configuration: configuration
        )
    }

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - baseURL: The server's address.
    ///   - source: The source of access tokens; nil for an API without sign-in.
    ///   - apiKey: The API key, sent as `X-API-Key` with every request to the client's origins; nil if the API has no
    ///     key. Secret.
    ///   - transport: The transport; nil for the platform's default.
    ///   - configuration: The settings.
    public init(
        baseURL: BaseURL,
        authenticatedBy source: (any AccessTokenSource)? = nil,
        apiKey: APIKey? = nil,
        transport: (any Transport)? = nil,
        configuration: Configuration
    ) {
        self.baseURL = baseURL
        self.configuration = configuration
        origins = Set(([baseURL] + configuration.additionalOrigins).map(\.origin))
        sensitiveHeaderFields = SensitiveHeaderFields.known.union(configuration.sensitiveHeaderFields)
        context = ClientContext(
            source: source,
            apiKey: apiKey,
            transport: transport ?? DefaultTransport.make(),
            configuration: configuration
        )
    }

    /// Calls an endpoint.
    ///
    /// If the task is cancelled, the call ends at once. The server may still carry out a request that was sent.
    ///
    /// - Parameter endpoint: The endpoint.
    /// - Returns: The endpoint's decoded response.
    /// - Throws: ``APIError``; the token source's error if there is no token; an interceptor's error;
    ///   `CancellationError`.
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws -> Response {
        let finished = try await carriedOut(try prepared(of: endpoint))
        let response = finished.response
        guard endpoint.acceptsAnyStatus || response.head.status.kind == .successful else {
            throw failure(response, finished.outcome, attempts: finished.attempts)
        }
        do {
            return try endpoint.decode(response)
        } catch var error as APIError {
            error.attempts = finished.attempts
            throw error
        }
    }
}
