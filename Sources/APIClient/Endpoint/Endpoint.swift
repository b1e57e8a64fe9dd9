public import HTTPTypes

/// One call of an API: what is sent and what comes back.
public struct Endpoint<Response: Sendable>: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The path below the client's base address; begins with a slash, holds no query.
    ///
    /// Encoded where it needs to be.
    public var path: String
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
        self.acceptsAnyStatus = acceptsAnyStatus
        self.decode = decode
    }
}

/// One item of a query.
public struct QueryItem: Sendable, Hashable {
    /// The name, not encoded.
    public let name: String
    /// The value, not encoded.
    public let value: String

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - name: The name, not encoded.
    ///   - value: The value, not encoded.
    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What every endpoint can be given beside method, path and body.
public struct EndpointOptions: Sendable {
    /// The query's items, in order.
    public var query: [QueryItem]
    /// Further header fields.
    public var headers: HTTPFields
    /// Whether the session's access token is sent.
    public var requiresAuthentication: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - query: The query's items, in order.
    ///   - headers: Further header fields.
    ///   - requiresAuthentication: Whether the session's access token is sent.
    public init(query: [QueryItem] = [], headers: HTTPFields = [:], requiresAuthentication: Bool = true) {
        self.query = query
        self.headers = headers
        self.requiresAuthentication = requiresAuthentication
    }

    /// Without a token: for a public call.
    public static var anonymous: EndpointOptions { EndpointOptions(requiresAuthentication: false) }
}
