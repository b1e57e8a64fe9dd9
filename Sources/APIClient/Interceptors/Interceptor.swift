public import HTTPTypes

/// Sees every call of a client once: before its first sending, and with its final answer.
///
/// It stands outside of authentication, retries and redirects. So it never sees the access token or the API key, which
/// are added after it; a field that it adds goes with every sending; and it is called once however often the call is
/// sent. Meant for what the app knows and the client does not: request IDs, idempotency keys, a signature, counting.
///
/// It has the shape of swift-openapi-generator's `ClientMiddleware`, so that one is soon made of the other.
public protocol Interceptor: Sendable {
    /// Carries a call on, changed or not.
    ///
    /// - Parameters:
    ///   - request: Method, scheme, authority, path and fields, without the client's credentials. One whose authority is
    ///     changed to an origin that the client was not made for goes without them, or is refused. An `Authorization`
    ///     that is added is sent as it is, instead of the token.
    ///   - body: The body.
    ///   - baseURL: Where the client's server lives.
    ///   - operationID: The endpoint's name, where it has one.
    ///   - next: Carries the call out. May be called more than once, or not at all.
    /// - Returns: The answer, of any status. What a streamed download answers is watched and not replaced: its body is
    ///   empty here.
    /// - Throws: What it will; it comes through to the caller. Of `next`: ``APIError``, the token source's error,
    ///   `CancellationError`.
    func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        baseURL: BaseURL,
        operationID: String?,
        next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
    ) async throws -> (HTTPResponse, ResponseBody)
}
