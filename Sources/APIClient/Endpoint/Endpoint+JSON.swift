public import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Endpoint where Response: Decodable {
    /// A GET that answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func get(_ path: String, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        Endpoint(.get, path, options: options, decode: JSONBody.decode)
    }

    /// A DELETE that answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func delete(_ path: String, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        Endpoint(.delete, path, options: options, decode: JSONBody.decode)
    }

    /// A POST that sends JSON, or nothing, and answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - json: What to send; nil for no body.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    /// - Throws: `EncodingError` where the value can't be written as JSON.
    public static func post(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        options: EndpointOptions = EndpointOptions()
    ) throws -> Endpoint {
        try sending(json, .post, path, options: options)
    }

    /// A PUT that sends JSON and answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - json: What to send.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    /// - Throws: `EncodingError` where the value can't be written as JSON.
    public static func put(
        _ path: String,
        json: any Encodable & Sendable,
        options: EndpointOptions = EndpointOptions()
    ) throws -> Endpoint {
        try sending(json, .put, path, options: options)
    }

    /// A POST that sends a body of any kind and answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address; empty for that address itself.
    ///   - body: What to send; its media type goes into the options' headers.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func post(_ path: String, body: RequestBody, options: EndpointOptions) -> Endpoint {
        Endpoint(.post, path, options: options, body: body, decode: JSONBody.decode)
    }

    private static func sending(
        _ json: (any Encodable & Sendable)?,
        _ method: HTTPRequest.Method,
        _ path: String,
        options: EndpointOptions
    ) throws -> Endpoint {
        var options = options
        let body = try JSONBody.encode(json, into: &options)
        return Endpoint(method, path, options: options, body: body, decode: JSONBody.decode)
    }
}

extension Endpoint where Response == Void {
    /// A POST whose answer's body does not matter.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - json: What to send; nil for no body.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    /// - Throws: `EncodingError` where the value can't be written as JSON.
    public static func post(
        _ path: String,
        json: (any Encodable & Sendable)? = nil,
        options: EndpointOptions = EndpointOptions()
    ) throws -> Endpoint {
        var options = options
        let body = try JSONBody.encode(json, into: &options)
        return Endpoint(.post, path, options: options, body: body) { _ in }
    }
}

extension Endpoint where Response == TransportResponse {
    /// A call whose answer comes back as it is, of any status.
    ///
    /// A 401 is still answered with one new token and one retry.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: Below the client's base address.
    ///   - body: What to send; its media type goes into the options' headers.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func raw(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: RequestBody = .none,
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        Endpoint(method, path, options: options, body: body, acceptsAnyStatus: true) { $0 }
    }
}

/// JSON in and out.
enum JSONBody {
    static func encode(_ value: (any Encodable & Sendable)?, into options: inout EndpointOptions) throws -> RequestBody
    {
        guard let value else { return .none }
        options.headers[.contentType] = "application/json"
        return .bytes(Array(try JSONEncoder().encode(value)))
    }

    @Sendable static func decode<Value: Decodable>(_ response: TransportResponse) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(response.body))
        } catch {
            throw APIError(.unreadableAnswer, status: response.head.status.code, underlying: error)
        }
    }
}
