public import HTTPTypes

/// What every endpoint can be given beside method, path and body.
public struct EndpointOptions: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The query's items, in order.
    public var query: [QueryItem]
    /// Further header fields.
    public var headers: HTTPFields
    /// Whether the session's access token is sent.
    public var requiresAuthentication: Bool
    /// What is sent again after a passing fault; nil for the client's policy, or none without authentication.
    public var retries: RetryPolicy?
    /// Which redirects are followed; nil for the client's policy, or none without authentication.
    public var redirects: RedirectPolicy?
    /// The time the call has for everything; nil for the client's.
    public var timeout: Duration?
    /// A name for the operation, for interceptors.
    public var operationID: String?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - query: The query's items, in order.
    ///   - headers: Further header fields.
    ///   - requiresAuthentication: Whether the session's access token is sent.
    ///   - retries: What is sent again after a passing fault; nil for the client's policy, or none without
    ///     authentication.
    ///   - redirects: Which redirects are followed; nil for the client's policy, or none without authentication.
    ///   - timeout: The time the call has for everything; nil for the client's.
    ///   - operationID: A name for the operation, for interceptors.
    public init(
        query: [QueryItem] = [],
        headers: HTTPFields = [:],
        requiresAuthentication: Bool = true,
        retries: RetryPolicy? = nil,
        redirects: RedirectPolicy? = nil,
        timeout: Duration? = nil,
        operationID: String? = nil
    ) {
        self.query = query
        self.headers = headers
        self.requiresAuthentication = requiresAuthentication
        self.retries = retries
        self.redirects = redirects
        self.timeout = timeout
        self.operationID = operationID
    }

    /// Without a token, sent once, following no redirect: for a public call, and for those about the session itself.
    public static var anonymous: EndpointOptions { EndpointOptions(requiresAuthentication: false) }

    /// No more than that.
    public var description: String { "EndpointOptions(<redacted>)" }
    /// The same.
    public var debugDescription: String { description }
    /// Without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
