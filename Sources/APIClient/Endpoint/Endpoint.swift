// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// A call of an API: the request, and how its response is read.
///
/// The response's type decides how the response is read. A `Decodable` value is read as JSON. `Void` ignores the body.
/// ``TransportResponse`` is a response of any status, ``ResponseBody`` a download.
///
/// ```swift
/// let jobs: [Job] = try await api.send(.get("/api/jobs"))
/// let job: Job = try await api.send(.post("/api/jobs", body: .json(draft)))
/// try await api.send(.post("/api/search", body: .form(["q": "parcels"])))
/// try await api.send(.delete("/api/jobs/1"))
/// let response = try await api.send(.raw(.get, "/api/jobs"))
/// let next: [Job] = try await api.send(.get("").at(nextPage))
/// ```
public struct Endpoint<Response: Sendable>: Sendable, Redacted {
    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path below the client's base address, beginning with a slash and without a query.
    ///
    /// Percent-encoded by the client if necessary.
    public var path: String
    /// The absolute URL to call instead of base address and path; nil to use those.
    ///
    /// If the URL is outside the client's origins, a call that would carry credentials, or whose URL is plain http to
    /// an address that is not loopback, throws ``APIError`` `originNotAllowed`. Any other call goes there, without the
    /// API key.
    public var address: AbsoluteURL?
    /// The query's items, in order.
    ///
    /// Encoded by the client.
    public var query: [QueryItem]
    /// Further header fields.
    ///
    /// A field named `Authorization` is sent as it is, instead of the session's token.
    public var headers: HTTPFields
    /// The body.
    public var body: RequestBody
    /// Whether the session's access token is sent, and a 401 leads to a new one.
    ///
    /// True by default.
    public var requiresAuthentication: Bool
    /// The retries after a transient error; nil for the client's policy, or no retries without authentication.
    public var retries: RetryPolicy?
    /// The redirects that are followed; nil for the client's policy, or no redirects without authentication.
    public var redirects: RedirectPolicy?
    /// The time limit of the call; nil for the client's.
    public var timeout: Duration?
    /// A name for the operation, for interceptors.
    public var operationID: String?
    /// The secrets in the body, such as a password.
    ///
    /// An error from the server's response does not repeat them. Credential header fields need not be listed here.
    public var secrets: [String] = []
    /// Whether a response of any status is returned; if false, any status but 2xx is an ``APIError``.
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

    /// Creates the same call with another way to decode the response.
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

    /// Returns the same call of an absolute URL, such as a link in a decoded response.
    ///
    /// The path and the client's base address are not used. ``address`` says which credentials go there.
    ///
    /// - Parameter address: The URL to call. The query's items are added to it.
    /// - Returns: The endpoint.
    public func at(_ address: AbsoluteURL) -> Endpoint {
        var endpoint = self
        endpoint.address = address
        return endpoint
    }

    /// The method and the operation's name, because path, query, fields and body may hold secrets.
    public var description: String { "\(method.rawValue) \(operationID ?? "<redacted>")" }
}
