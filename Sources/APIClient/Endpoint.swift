// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A call of an API: the request, and how its response is read.
///
/// The response's type decides how the response is read. A `Decodable` value is read as JSON. `Void` ignores the body.
/// ``TransportResponse`` is a response of any status.
///
/// ```swift
/// let jobs: [Job] = try await api.send(.get("/api/jobs", query: [QueryItem(name: "page", value: "2")]))
/// let job: Job = try await api.send(.post("/api/jobs", body: .json(draft)))
/// try await api.send(.post("/api/search", body: .form(["q": "parcels"])))
/// try await api.send(.delete("/api/jobs/1"))
/// let response = try await api.send(.raw(.get, "/api/jobs"))
/// let next: [Job] = try await api.send(.get("").at(nextPage))
/// ```
public struct Endpoint<Response: Sendable>: Sendable, Redacted {
    /// The HTTP method.
    public var method: HTTPRequest.Method
    /// The path below the client's base address, beginning with a slash and without a query; empty for that address
    /// itself.
    ///
    /// Percent-encoded by the client if necessary.
    public var path: String
    /// The absolute URL to call instead of base address and path; nil to use those.
    ///
    /// A URL of another origin than the client's is ``APIError`` `originNotAllowed`.
    public var address: AbsoluteURL?
    /// The query's items, in order, not encoded.
    public var query: [QueryItem]
    /// Further header fields.
    ///
    /// A field named `Authorization` is sent as it is, instead of the session's token.
    public var headers: HTTPFields = [:]
    /// The body; nil if there is none.
    public var body: RequestBody?
    /// Whether the session's access token is sent, and a 401 leads to a new one.
    public var requiresAuthentication = true
    /// The retries after a transient error; nil for the client's policy, or no retries without authentication.
    public var retries: RetryPolicy?
    /// The time limit of the call; nil for the client's.
    public var timeout: Duration?
    /// Whether the request must reach the server at most once, as ``TransportRequest/sendsOnce``.
    ///
    /// If so, it is sent again only if it surely did not reach the server.
    public var sendsOnce = false
    /// A check right before the request is sent, as ``TransportRequest/sendGuard``.
    public var sendGuard: (@Sendable () -> Bool)?
    /// Whether a response of any status is returned; if false, any status but 2xx is an ``APIError``.
    let acceptsAnyStatus: Bool
    let decode: @Sendable (TransportResponse) throws -> Response

    private init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ query: [QueryItem],
        _ body: RequestBody?,
        acceptsAnyStatus: Bool = false,
        decode: @escaping @Sendable (TransportResponse) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.acceptsAnyStatus = acceptsAnyStatus
        self.decode = decode
    }

    /// The same call without token, retry or redirect, for a public call and for calls about the session itself.
    public var anonymous: Endpoint {
        var endpoint = self
        endpoint.requiresAuthentication = false
        return endpoint
    }

    /// Returns the same call of an absolute URL, such as a link in a decoded response.
    ///
    /// The query's items are added to the URL. See ``address``.
    public func at(_ address: AbsoluteURL) -> Endpoint {
        var endpoint = self
        endpoint.address = address
        return endpoint
    }

    /// Returns the path and query to request.
    ///
    /// - Throws: ``APIError`` (`invalidRequest`, `originNotAllowed`).
    func target(below baseURL: BaseURL) throws -> String {
        if let address {
            guard address.origin == baseURL.origin else { throw APIError(.originNotAllowed) }
            guard !query.isEmpty else { return address.target }
            return address.target + (address.target.contains("?") ? "&" : "?") + RequestTarget.query(query)
        }
        let target = RequestTarget.make(prefix: baseURL.pathPrefix, path: path, query: query)
        guard let target else { throw APIError(.invalidRequest) }
        return target
    }

    /// The method alone, because path, query, fields and body may hold secrets.
    public var description: String { "\(method.rawValue) <redacted>" }
}

extension Endpoint where Response: Decodable {
    /// Creates a GET whose response is JSON.
    public static func get(_ path: String, query: [QueryItem] = []) -> Endpoint {
        Endpoint(.get, path, query, nil, decode: decodeJSON)
    }

    /// Creates a POST whose response is JSON.
    public static func post(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.post, path, query, body, decode: decodeJSON)
    }

    /// Creates a PUT whose response is JSON.
    public static func put(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.put, path, query, body, decode: decodeJSON)
    }

    /// Creates a PATCH whose response is JSON.
    ///
    /// Not idempotent: sent again after an error only if an `Idempotency-Key` goes with it.
    /// [RFC 5789](https://www.rfc-editor.org/rfc/rfc5789).
    public static func patch(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.patch, path, query, body, decode: decodeJSON)
    }

    /// Creates a DELETE whose response is JSON.
    public static func delete(_ path: String, query: [QueryItem] = []) -> Endpoint {
        Endpoint(.delete, path, query, nil, decode: decodeJSON)
    }

    private static func decodeJSON(_ response: TransportResponse) throws -> Response {
        do {
            guard !JSONBody.hasLongName(response.body) else {
                let reason = "The text is not UTF-8, or a member's name is too long."
                throw DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
            }
            return try JSONDecoder().decode(Response.self, from: Data(response.body))
        } catch {
            throw APIError(.malformedResponse, status: response.head.status.code, underlying: error)
        }
    }
}

extension Endpoint where Response == Void {
    /// Creates a POST whose response body is ignored.
    public static func post(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.post, path, query, body) { _ in }
    }

    /// Creates a PUT whose response body is ignored.
    public static func put(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.put, path, query, body) { _ in }
    }

    /// Creates a PATCH whose response body is ignored.
    public static func patch(_ path: String, query: [QueryItem] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.patch, path, query, body) { _ in }
    }

    /// Creates a DELETE whose response body is ignored.
    public static func delete(_ path: String, query: [QueryItem] = []) -> Endpoint {
        Endpoint(.delete, path, query, nil) { _ in }
    }
}

extension Endpoint where Response == TransportResponse {
    /// Creates a call that returns the response as it is, of any status.
    ///
    /// A 401 still leads to one new token and one retry.
    public static func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [QueryItem] = [],
        body: RequestBody? = nil
    ) -> Endpoint {
        Endpoint(method, path, query, body, acceptsAnyStatus: true) { $0 }
    }
}

/// A decoded response and the head that it came with.
package struct ResponseWithHead<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// The status and fields, as the server sent them.
    package let head: HTTPResponse
}

extension Endpoint {
    /// The same call, whose result includes the response's head.
    package var withHead: Endpoint<ResponseWithHead<Response>> {
        let decode = decode
        var endpoint = Endpoint<ResponseWithHead<Response>>(method, path, query, body) {
            ResponseWithHead(value: try decode($0), head: $0.head)
        }
        endpoint.address = address
        endpoint.headers = headers
        endpoint.requiresAuthentication = requiresAuthentication
        endpoint.retries = retries
        endpoint.timeout = timeout
        endpoint.sendsOnce = sendsOnce
        endpoint.sendGuard = sendGuard
        return endpoint
    }
}
