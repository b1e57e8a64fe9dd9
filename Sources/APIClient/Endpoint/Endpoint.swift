public import HTTPTypes

/// One call of an API: what is sent and what comes back.
public struct Endpoint<Response: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The method.
    public var method: HTTPRequest.Method
    /// The path below the client's base address; begins with a slash, holds no query.
    ///
    /// Encoded where it needs to be.
    public var path: String
    /// The whole address to call, in place of base address and path; nil for those.
    ///
    /// At an origin that the client was not made for, a call that would carry credentials is refused: ``APIError``
    /// `originNotAllowed`. One without goes there without the API key too.
    public var address: AbsoluteURL?
    /// The query's items, in order.
    ///
    /// Encoded by the client.
    public var query: [QueryItem]
    /// Further header fields.
    ///
    /// One named `Authorization` is sent as it is, instead of the session's token.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// Whether the session's access token is sent, and a 401 answered with a new one.
    ///
    /// True unless said otherwise.
    public var requiresAuthentication: Bool
    /// What is sent again after a passing fault; nil for the client's policy, or none without authentication.
    public var retries: RetryPolicy?
    /// Which redirects are followed; nil for the client's policy, or none without authentication.
    public var redirects: RedirectPolicy?
    /// The time the call has for everything; nil for the client's.
    public var timeout: Duration?
    /// A name for the operation, for interceptors.
    public var operationID: String?
    /// The secrets in the body: an error that the server answers with is not to repeat them.
    ///
    /// Those in header fields are known without this.
    package var secrets: [String] = []
    /// Whether an answer of any status is a value, as against a ``APIError`` for all but 2xx.
    let acceptsAnyStatus: Bool
    let decode: @Sendable (TransportResponse) throws -> Response

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        options: EndpointOptions,
        body: RequestBody = .none,
        acceptsAnyStatus: Bool = false,
        decode: @escaping @Sendable (TransportResponse) throws -> Response
    ) {
        self.method = method
        self.path = path
        query = options.query
        headers = options.headers
        self.body = body
        requiresAuthentication = options.requiresAuthentication
        retries = options.retries
        redirects = options.redirects
        timeout = options.timeout
        operationID = options.operationID
        self.acceptsAnyStatus = acceptsAnyStatus
        self.decode = decode
    }

    /// The same call, whose answer becomes something else.
    init<Other>(_ other: Endpoint<Other>, decode: @escaping @Sendable (TransportResponse) throws -> Response) {
        method = other.method
        path = other.path
        address = other.address
        query = other.query
        headers = other.headers
        body = other.body
        requiresAuthentication = other.requiresAuthentication
        retries = other.retries
        redirects = other.redirects
        timeout = other.timeout
        operationID = other.operationID
        secrets = other.secrets
        acceptsAnyStatus = other.acceptsAnyStatus
        self.decode = decode
    }

    /// The method and the operation's name: path, query, fields and body may hold secrets.
    public var description: String { "\(method.rawValue) \(operationID ?? "<redacted>")" }
    /// The same.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
