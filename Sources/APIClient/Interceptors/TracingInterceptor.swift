#if Tracing
public import HTTPTypes
public import Tracing

/// Makes a span of each call with swift-distributed-tracing, and tells the server of it.
///
/// The span is of the kind `client` and named by the method, as OpenTelemetry has it; it covers all attempts, pauses and
/// refreshes. Its attributes are `http.request.method`, `server.address` (`elsewhere` for a call that goes to another
/// origin than the base address's) and `http.response.status_code`, or `error.type` where there was no answer. No path, query, field, body or error's text. What the tracer adds to the request, such as
/// `traceparent`, goes with every sending.
///
/// Of the trait `Tracing`, which is off by default.
public struct TracingInterceptor: Interceptor {
    private let tracer: (any Tracer)?

    /// Makes an interceptor.
    ///
    /// - Parameter tracer: What traces; nil for what the program has set up when a call begins.
    public init(tracer: (any Tracer)? = nil) {
        self.tracer = tracer
    }

    /// Carries the call on within a span.
    ///
    /// - Parameters:
    ///   - request: Carried on with the span's fields.
    ///   - body: Carried on as it is.
    ///   - baseURL: Where the client's server lives.
    ///   - operationID: The endpoint's name; the span's too.
    ///   - next: Carries the call out.
    /// - Returns: The answer.
    /// - Throws: What `next` throws.
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
            let answer = try await ServiceContext.withValue(span.context) { try await next(traced, body) }
            span.attributes["http.response.status_code"] = answer.0.status.code
            if answer.0.status.kind == .clientError || answer.0.status.kind == .serverError {
                span.setStatus(SpanStatus(code: .error))
            }
            return answer
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
