// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension Endpoint where Response == Void {
    /// Creates a POST whose response body is ignored.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address; empty for that address itself.
    ///   - body: The body, with its media type.
    ///   - options: The query, the headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func post(
        _ path: String,
        body: RequestBody = .none,
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        Endpoint(.post, path, options: options, body: body) { _ in }
    }

    /// Creates a PUT whose response body is ignored.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address; empty for that address itself.
    ///   - body: The body, with its media type.
    ///   - options: The query, the headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func put(
        _ path: String,
        body: RequestBody = .none,
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        Endpoint(.put, path, options: options, body: body) { _ in }
    }

    /// Creates a PATCH whose response body is ignored.
    ///
    /// Not idempotent: sent again after an error only if an `Idempotency-Key` goes with it.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address; empty for that address itself.
    ///   - body: The body, with its media type.
    ///   - options: The query, the headers, whether the token is sent.
    /// - Returns: The endpoint.
    ///
    /// [RFC 5789](https://www.rfc-editor.org/rfc/rfc5789).
    public static func patch(
        _ path: String,
        body: RequestBody = .none,
        options: EndpointOptions = EndpointOptions()
    ) -> Endpoint {
        Endpoint(.patch, path, options: options, body: body) { _ in }
    }

    /// Creates a DELETE whose response body is ignored.
    ///
    /// - Parameters:
    ///   - path: The path below the client's base address; empty for that address itself.
    ///   - options: The query, the headers, whether the token is sent.
    /// - Returns: The endpoint.
    public static func delete(_ path: String, options: EndpointOptions = EndpointOptions()) -> Endpoint {
        Endpoint(.delete, path, options: options) { _ in }
    }
}
