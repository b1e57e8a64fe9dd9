public import AuthCore
import HTTPTypes
public import Logging

/// Calls an API on behalf of who is signed in.
///
/// A request that requires authentication carries the access token. Answered with 401, it is sent once more with another
/// token; a second 401 is ``APIError`` `unauthorized` and ends nothing. Passing faults are tried again where that is safe,
/// and one timeout covers it all. Credentials go to the origins that the client was made for and nowhere else, whatever
/// a redirect says.
public struct APIClient: Sendable, CustomReflectable {
    /// Where the server lives.
    public let baseURL: BaseURL
    let configuration: Configuration
    let tools: CallTools
    /// Where credentials go.
    let origins: Set<String>
    let credentialFields: Set<HTTPField.Name>

    /// Without children: they hold the API key, and a transport with requests under way.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Makes a client with the default settings.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server lives; the only origin that credentials go to.
    ///   - source: Who is asked for the access token; nil for an API without sign-in.
    ///   - apiKey: Sent as `X-API-Key` with every request, where given. Secret.
    ///   - transport: What carries the requests; nil for the platform's.
    ///   - timeout: The time one call has for everything.
    ///   - logger: Told method, path and status at level `debug`; never a query, header or body. Silent by default.
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

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - baseURL: Where the server lives.
    ///   - source: Who is asked for the access token; nil for an API without sign-in.
    ///   - apiKey: Sent as `X-API-Key` with every request to the client's origins, where given. Secret.
    ///   - transport: What carries the requests; nil for the platform's.
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
        origins = Set(([baseURL] + configuration.furtherOrigins).map(\.origin))
        credentialFields = CredentialFields.known.union(configuration.credentialFields)
        tools = CallTools(
            source: source,
            apiKey: apiKey,
            transport: transport ?? DefaultTransport.make(),
            configuration: configuration
        )
    }

    /// Calls an endpoint.
    ///
    /// Cancelled, it ends at once; what was sent may still be carried out by the server.
    ///
    /// - Parameter endpoint: What to call.
    /// - Returns: What the endpoint answers.
    /// - Throws: ``APIError``; the token source's error where there is no token; an interceptor's; `CancellationError`.
    public func send<Response>(_ endpoint: Endpoint<Response>) async throws -> Response {
        let finished = try await carriedOut(try opening(of: endpoint))
        let response = finished.response
        guard endpoint.acceptsAnyStatus || response.head.status.kind == .successful else {
            throw failure(response, finished.ending, attempts: finished.attempts)
        }
        do {
            return try endpoint.decode(response)
        } catch var error as APIError {
            error.attempts = finished.attempts
            throw error
        }
    }
}
