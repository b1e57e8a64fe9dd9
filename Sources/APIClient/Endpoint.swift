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
/// let jobs: [Job] = try await api.send(.get("/api/jobs", query: [("page", "2")]))
/// let job: Job = try await api.send(.post("/api/jobs", body: .json(draft)))
/// try await api.send(.post("/api/search", body: .form([("q", "parcels")])))
/// try await api.send(.delete("/api/jobs/1"))
/// let response = try await api.send(.raw(.get, "/api/jobs"))
/// let next: [Job] = try await api.send(.get("").at(nextPage))
/// ```
public struct Endpoint<Response: Sendable>: Sendable, Redacted {
    /// The HTTP method; set another one for a call that has no function here, such as a PATCH.
    public var method: HTTPRequest.Method
    private let path: String
    private let query: [(String, String)]
    private var url: String?
    let body: RequestBody?
    /// Further header fields.
    ///
    /// A field named `Authorization` is sent as it is, instead of the session's token.
    public var headers: HTTPFields = [:]
    /// Whether the request must reach the server at most once, as ``TransportRequest/sendsOnce``.
    public var sendsOnce = false
    /// A check right before the request is sent, as ``TransportRequest/sendGuard``.
    public var sendGuard: (@Sendable () -> Bool)?
    /// Whether the session's access token is sent, and a 401 leads to a new one.
    private(set) var requiresAuthentication = true
    /// Whether a response of any status is returned; if false, any status but 2xx is an ``APIError``.
    let acceptsAnyStatus: Bool
    let decode: @Sendable (TransportResponse) throws -> Response

    private init(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ query: [(String, String)],
        _ body: RequestBody? = nil,
        acceptsAnyStatus: Bool = false,
        decode: @escaping @Sendable (TransportResponse) throws -> Response
    ) {
        (self.method, self.path, self.query, self.body) = (method, path, query, body)
        (self.acceptsAnyStatus, self.decode) = (acceptsAnyStatus, decode)
    }

    /// The same call without token, retry or redirect, for a public call and for calls about the session itself.
    public var anonymous: Endpoint {
        var endpoint = self
        endpoint.requiresAuthentication = false
        return endpoint
    }

    /// Returns the same call of an absolute URL, such as a link in a decoded response.
    ///
    /// The URL replaces the client's address and the path; the query's items are added to it. The call of a URL at
    /// another origin than the client's is ``APIError`` `originNotAllowed`, of an invalid one `invalidRequest`.
    public func at(_ url: String) -> Endpoint {
        var endpoint = self
        endpoint.url = url
        return endpoint
    }

    /// Returns the path and query to request; throws ``APIError`` (`invalidRequest`, `originNotAllowed`).
    func target(below baseURL: BaseURL) throws -> String {
        let target = try url.map { try Self.target(of: $0, at: baseURL) } ?? path(below: baseURL)
        if query.isEmpty { return target }
        return target + (target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + FormEncoding.encode(query)
    }

    private static func target(of url: String, at baseURL: BaseURL) throws -> String {
        do {
            let address = try AbsoluteURL(url, insecureHTTP: .insecurelyAllowHTTP)
            guard address.origin == baseURL.origin else { throw APIError(.originNotAllowed) }
            return address.target
        } catch let error as BaseURLError {
            throw APIError(.invalidRequest, underlying: error)
        }
    }

    /// Returns the path, encoded so that nothing in it can end it or begin a header.
    private func path(below baseURL: BaseURL) throws -> String {
        // "//host" would be read as another authority, and a dot segment could leave the prefix.
        guard path.hasPrefix("/") || (path.isEmpty && !baseURL.pathPrefix.isEmpty), !path.hasPrefix("//"),
            !path.utf8.contains(where: "?#".utf8.contains), !FormEncoding.hasDotSegment(path)
        else { throw APIError(.invalidRequest) }
        // The `pchar` characters, the slash, and the percent sign of a path that is already encoded.
        return baseURL.pathPrefix
            + FormEncoding.escaped(path) {
                TokenCharacters.isUnreserved($0) || "!$&'()*+,;=:@/%".utf8.contains($0)
            }
    }
}

extension Endpoint where Response: Decodable {
    /// Creates a GET whose response is JSON.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address, beginning with a slash and without a query; empty for that
    ///     address itself. Percent-encoded by the client if necessary.
    ///   - query: The names and values of the query, in order, not encoded.
    public static func get(_ path: String, query: [(String, String)] = []) -> Endpoint {
        Endpoint(.get, path, query, decode: decodeJSON)
    }

    /// Creates a POST whose response is JSON.
    public static func post(_ path: String, query: [(String, String)] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.post, path, query, body, decode: decodeJSON)
    }

    /// Creates a PUT whose response is JSON.
    public static func put(_ path: String, query: [(String, String)] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.put, path, query, body, decode: decodeJSON)
    }

    /// Creates a DELETE whose response is JSON.
    public static func delete(_ path: String, query: [(String, String)] = []) -> Endpoint {
        Endpoint(.delete, path, query, decode: decodeJSON)
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
    public static func post(_ path: String, query: [(String, String)] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.post, path, query, body) { _ in }
    }

    /// Creates a PUT whose response body is ignored.
    public static func put(_ path: String, query: [(String, String)] = [], body: RequestBody? = nil) -> Endpoint {
        Endpoint(.put, path, query, body) { _ in }
    }

    /// Creates a DELETE whose response body is ignored.
    public static func delete(_ path: String, query: [(String, String)] = []) -> Endpoint {
        Endpoint(.delete, path, query) { _ in }
    }
}

extension Endpoint where Response == TransportResponse {
    /// Creates a call that returns the response as it is, of any status.
    ///
    /// A 401 still leads to one new token and one retry.
    public static func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(String, String)] = [],
        body: RequestBody? = nil
    ) -> Endpoint {
        Endpoint(method, path, query, body, acceptsAnyStatus: true) { $0 }
    }
}

/// The body of a request, in memory, with its media type.
public struct RequestBody: Sendable, Redacted {
    let bytes: [UInt8]
    let contentType: String?

    /// Creates a body of bytes; its type is sent as `Content-Type` unless the endpoint's headers have that field.
    public init(_ bytes: [UInt8], contentType: String? = nil) {
        (self.bytes, self.contentType) = (bytes, contentType)
    }

    /// Encodes a value as JSON; throws `EncodingError`, or an error of the value's own encoding.
    public static func json(_ value: some Encodable) throws -> RequestBody {
        RequestBody(Array(try JSONEncoder().encode(value)), contentType: "application/json")
    }

    /// Creates a form of names and values, in order and not encoded; a name may come twice.
    ///
    /// A space is `%20`, which every decoder reads.
    /// [URL, 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
    public static func form(_ fields: [(String, String)]) -> RequestBody {
        RequestBody(Array(FormEncoding.encode(fields).utf8), contentType: "application/x-www-form-urlencoded")
    }
}

/// The check of a JSON text before Foundation decodes it.
enum JSONBody {
    /// Returns whether a text has a name of more than 1,024 bytes that is not plain ASCII, or is UTF-16 or UTF-32.
    ///
    /// `JSONDecoder` hashes names as characters: in quadratic time for long runs of combining marks. It refuses what is
    /// not JSON, but reads UTF-16 and UTF-32, in which quotes are beside NUL bytes. JSON from a server MUST be UTF-8
    /// (RFC 8259, 8.1). Takes linear time.
    static func hasLongName(_ text: [UInt8]) -> Bool {
        if text.contains(0) { return true }
        var rest = text[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
            var (end, isPlain) = (start + 1, true)
            while end < text.count, text[end] != UInt8(ascii: "\"") {
                let isEscape = text[end] == UInt8(ascii: "\\")
                if isEscape || text[end] >= 0x80 { isPlain = false }
                end += isEscape ? 2 : 1
            }
            guard end < text.count else { return false }
            rest = text[(end + 1)...]
            if !isPlain, end - start > 1_024,
                rest.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: ":")
            {
                return true
            }
        }
        return false
    }
}
