// SPDX-License-Identifier: Apache-2.0

#if Tracing
public import HTTPTypes
public import Tracing

/// An interceptor that traces each call with swift-distributed-tracing and passes the trace on to the server.
///
/// The span is of the kind `client` and named by the operation or else the method. It covers all attempts, pauses and
/// refreshes. Its attributes are `http.request.method`, `server.address` (`elsewhere` for a call to another origin than
/// the base address's) and `http.response.status_code`, or `error.type` if there was no response. No path, query,
/// field, body or error text. The fields that the tracer adds to the request, such as `traceparent`, go with every
/// attempt.
///
/// Requires the trait `Tracing`, which is off by default.
public struct TracingInterceptor: Interceptor {
    private let tracer: (any Tracer)?

    /// Creates an interceptor.
    ///
    /// - Parameter tracer: The tracer; nil for the program's, as set up when a call begins.
    public init(tracer: (any Tracer)? = nil) {
        self.tracer = tracer
    }

    /// Passes the call on within a span.
    ///
    /// - Parameters:
    ///   - request: The request, passed on with the span's fields.
    ///   - body: The body, passed on as it is.
    ///   - baseURL: The client's base address.
    ///   - operationID: The endpoint's name, and the span's.
    ///   - next: The function that carries out the call.
    /// - Returns: The response.
    /// - Throws: The error of `next`.
    public func intercept(
        _ request: HTTPRequest,
        body: RequestBody,
        baseURL: BaseURL,
        operationID: String?,
        next: @Sendable (HTTPRequest, RequestBody) async throws -> (HTTPResponse, ResponseBody)
    ) async throws -> (HTTPResponse, ResponseBody) {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span = tracer.startAnySpan(operationID ?? request.method.rawValue, ofKind: .client)
        defer { span.end() }
        for (name, value) in CallAttributes.of(request, baseURL: baseURL) { span.attributes[name] = value }
        var request = request
        tracer.inject(span.context, into: &request.headerFields, using: FieldInjector())
        let traced = request
        do {
            let response = try await ServiceContext.withValue(span.context) { try await next(traced, body) }
            span.attributes["http.response.status_code"] = response.0.status.code
            if response.0.status.kind == .clientError || response.0.status.kind == .serverError {
                span.setStatus(SpanStatus(code: .error))
            }
            return response
        } catch {
            span.attributes["error.type"] = CallAttributes.type(of: error)
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }

    private struct FieldInjector: Injector {
        func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
            if let name = HTTPField.Name(key) { fields[name] = value }
        }
    }
}
#endif
