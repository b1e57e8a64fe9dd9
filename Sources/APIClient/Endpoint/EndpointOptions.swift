// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

/// The options of an endpoint besides method, path and body.
public struct EndpointOptions: Sendable, Redacted {
    /// The query's items, in order.
    public var query: [QueryItem]
    /// Further header fields.
    public var headers: HTTPFields
    /// Whether the session's access token is sent.
    public var requiresAuthentication: Bool
    /// The retries after a transient error; nil for the client's policy, or no retries without authentication.
    public var retries: RetryPolicy?
    /// The redirects that are followed; nil for the client's policy, or no redirects without authentication.
    public var redirects: RedirectPolicy?
    /// The time limit of the call; nil for the client's.
    public var timeout: Duration?
    /// A name for the operation, for interceptors.
    public var operationID: String?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - query: The query's items, in order.
    ///   - headers: Further header fields.
    ///   - requiresAuthentication: Whether the session's access token is sent.
    ///   - retries: The retries after a transient error; nil for the client's policy, or no retries without
    ///     authentication.
    ///   - redirects: The redirects that are followed; nil for the client's policy, or no redirects without
    ///     authentication.
    ///   - timeout: The time limit of the call; nil for the client's.
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

    /// The options without token, retry or redirect, for a public call and for calls about the session itself.
    public static var anonymous: EndpointOptions { EndpointOptions(requiresAuthentication: false) }
}
