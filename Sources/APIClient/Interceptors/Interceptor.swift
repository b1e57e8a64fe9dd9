// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A middleware that sees each call of a client once: before its first attempt, and with its final response.
///
/// It runs outside of authentication, retries and redirects. So it never sees the access token or the API key, which
/// are added after it. A field that it adds goes with every attempt. It is called once, however often the call is sent.
/// Use it for request IDs, idempotency keys, a signature or metrics.
///
/// It has the shape of swift-openapi-generator's `ClientMiddleware`, so that either is easily adapted to the other.
public protocol Interceptor: Sendable {
    /// Passes a call on, changed or not.
    ///
    /// - Parameters:
    ///   - request: The method, scheme, authority, path and fields, without the client's credentials. If you change the
    ///     authority to an origin that the client was not created for, the request goes without credentials or is
    ///     refused. An `Authorization` that you add is sent as it is, instead of the token.
    ///   - body: The body.
    ///   - baseURL: The client's base address.
    ///   - operationID: The endpoint's name; nil if it has no name.
    ///   - next: The function that carries out the call. May be called more than once, or not at all.
    /// - Returns: The response, of any status. The response of a streamed download can be observed but not replaced:
    ///   its body is empty here.
    /// - Throws: Any error, which reaches the caller. `next` throws ``APIError``, the token source's error or
    ///   `CancellationError`.
    func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        baseURL: BaseURL,
        operationID: String?,
        next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
    ) async throws -> (HTTPResponse, ResponseBody)
}
