import HTTPTypes

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
        try sending(json, .post, path, options: options) { _ in }
    }

    /// A PUT that sends JSON and whose answer's body does not matter.
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
        try sending(json, .put, path, options: options) { _ in }
    }

    /// A PUT that sends a body of any kind, a file for one, and whose answer's body does not matter.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - body: What to send; its media type goes into the options' headers.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func put(_ path: String, body: RequestBody, options: EndpointOptions) -> Endpoint {
        Endpoint(.put, path, options: options, body: body) { _ in }
    }

    /// A PATCH that sends JSON and whose answer's body does not matter.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - json: What to send.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    /// - Throws: `EncodingError` where the value can't be written as JSON.
    public static func patch(
        _ path: String,
        json: any Encodable & Sendable,
        options: EndpointOptions = EndpointOptions()
    ) throws -> Endpoint {
        try sending(json, .patch, path, options: options) { _ in }
    }

    /// A DELETE whose answer's body does not matter.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func delete(_ path: String, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        Endpoint(.delete, path, options: options) { _ in }
    }
}
