// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension Endpoint where Response == TransportResponse {
    /// Creates a call that returns the response as it is, of any status.
    ///
    /// A 401 still leads to one new token and one retry.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the client's base address.
    ///   - body: The body, with its media type.
    ///   - options: The query, the headers, whether the token is sent.
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
    /// Creates a call whose response is read while it arrives, with ``APIClient/download(_:progress:_:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address.
    ///   - method: The method.
    ///   - body: The body, with its media type.
    ///   - options: The query, the headers, whether the token is sent.
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
}
