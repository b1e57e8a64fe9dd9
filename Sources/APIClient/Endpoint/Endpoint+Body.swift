public import HTTPTypes

extension Endpoint where Response: Decodable {
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

    /// A PUT that sends a body of any kind and answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - body: What to send; its media type goes into the options' headers.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func put(_ path: String, body: RequestBody, options: EndpointOptions) -> Endpoint {
        Endpoint(.put, path, options: options, body: body, decode: JSONBody.decode)
    }

    /// A POST that sends a form and answers JSON.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address; empty for that address itself.
    ///   - form: The form's fields, in order. Encoded by the client.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    ///
    /// Wire: `application/x-www-form-urlencoded`.
    public static func post(
        _ path: String,
        form: [QueryItem],
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        var options = options
        options.headers[.contentType] = "application/x-www-form-urlencoded"
        let body = RequestBody.bytes(Array(RequestTarget.query(form).utf8))
        return Endpoint(.post, path, options: options, body: body, decode: JSONBody.decode)
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

extension Endpoint where Response == ResponseBody {
    /// A call whose answer is read while it comes, with ``APIClient/download(_:progress:_:)``.
    ///
    /// - Parameters:
    ///   - path: Below the client's base address.
    ///   - method: The method.
    ///   - body: What to send; its media type goes into the options' headers.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func download(
        _ path: String,
        method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        var options = options
        if options.headers[.accept] == nil { options.headers[.accept] = "*/*" }
        return Endpoint(method, path, options: options, body: body) { ResponseBody($0.body) }
    }

    /// A download from a whole address, out of a decoded answer for one.
    ///
    /// - Parameters:
    ///   - address: What to call.
    ///   - options: Query, headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func download(at address: AbsoluteURL, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        var endpoint = Endpoint.download("/", options: options)
        endpoint.address = address
        return endpoint
    }
}
