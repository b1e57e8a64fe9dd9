import HTTPTypes

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
        try sending(json, .post, path, options: options, decode: JSONBody.decode)
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
        try sending(json, .put, path, options: options, decode: JSONBody.decode)
    }

    /// A PATCH that sends JSON and answers JSON.
    ///
    /// Neither idempotent nor ever repeated by itself, unless an `Idempotency-Key` goes with it.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - json: What to send.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    /// - Throws: `EncodingError` where the value can't be written as JSON.
    ///
    /// [RFC 5789](https://www.rfc-editor.org/rfc/rfc5789).
    public static func patch(
        _ path: String,
        json: any Encodable & Sendable,
        options: EndpointOptions = EndpointOptions()
    ) throws -> Endpoint {
        try sending(json, .patch, path, options: options, decode: JSONBody.decode)
    }

    /// A GET of a whole address, out of a decoded answer for one.
    ///
    /// - Parameters:
    ///   - address: What to call.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func get(at address: AbsoluteURL, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        var endpoint = Endpoint(.get, "/", options: options, decode: JSONBody.decode)
        endpoint.address = address
        return endpoint
    }
}

extension Endpoint {
    /// A call that sends JSON, or nothing.
    static func sending(
        _ json: (any Encodable & Sendable)?,
        _ method: HTTPRequest.Method,
        _ path: String,
        options: EndpointOptions,
        decode: @escaping @Sendable (TransportResponse) throws -> Response
    ) throws -> Endpoint {
        var options = options
        let body = try JSONBody.encode(json, into: &options)
        return Endpoint(method, path, options: options, body: body, decode: decode)
    }
}
