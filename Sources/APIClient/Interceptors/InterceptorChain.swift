import HTTPTypes

/// Calls interceptors from the first to the last, and the client itself after them.
struct InterceptorChain: Sendable {
    let interceptors: [any Interceptor]
    let baseURL: BaseURL
    let operationID: String?

    func run(
        _ request: HTTPRequest,
        body: RequestBody,
        from index: Int = 0,
        _ carryOut: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
    ) async throws -> (HTTPResponse, ResponseBody) {
        guard index < interceptors.count else { return try await carryOut(request, body) }
        return try await interceptors[index]
            .intercept(request, body: body, baseURL: baseURL, operationID: operationID) { request, body in
                try await run(request, body: body, from: index + 1, carryOut)
            }
    }
}
