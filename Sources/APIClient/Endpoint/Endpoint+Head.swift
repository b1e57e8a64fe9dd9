package import HTTPTypes

/// What an endpoint answers, and the head that it came with.
package struct Answered<Value: Sendable>: Sendable {
    /// The value.
    package let value: Value
    /// Status and fields, by the server's word.
    package let head: HTTPResponse
}

extension Endpoint {
    /// The same call, whose answer keeps its head.
    package var withHead: Endpoint<Answered<Response>> {
        let decode = decode
        var endpoint = Endpoint<Answered<Response>>(
            method,
            path,
            options: EndpointOptions(),
            body: body,
            acceptsAnyStatus: acceptsAnyStatus,
            decode: { Answered(value: try decode($0), head: $0.head) }
        )
        endpoint.address = address
        endpoint.query = query
        endpoint.headers = headers
        endpoint.requiresAuthentication = requiresAuthentication
        endpoint.retries = retries
        endpoint.redirects = redirects
        endpoint.timeout = timeout
        endpoint.operationID = operationID
        return endpoint
    }
}
