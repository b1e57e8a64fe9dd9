#if Metrics
public import CoreMetrics
public import HTTPTypes
import Metrics

/// Records with swift-metrics how long calls take and what they are answered.
///
/// One timer, `http.client.request.duration`, as OpenTelemetry names it, in nanoseconds: from the call's beginning to its
/// final answer, with all attempts, pauses and refreshes. Its dimensions are `http.request.method`, `server.address`
/// (`elsewhere` for a call that goes to another origin than the base address's), `http.response.status_code` or, where there
/// was no answer, `error.type`, and `operation` where the endpoint has a name.
/// No path, query, field or body.
///
/// Of the trait `Metrics`, which is off by default.
public struct MetricsInterceptor: Interceptor {
    /// The timer's name.
    public static let label = "http.client.request.duration"

    private let factory: (any MetricsFactory)?
    private let clock: any Clock<Duration>

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - factory: Where to record; nil for what the program has set up when a call ends.
    ///   - clock: What measures.
    public init(factory: (any MetricsFactory)? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.factory = factory
        self.clock = clock
    }

    /// Carries the call on, and records how it ended.
    ///
    /// - Parameters:
    ///   - request: Carried on as it is.
    ///   - body: Carried on as it is.
    ///   - baseURL: Where the client's server lives.
    ///   - operationID: The endpoint's name.
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
        var dimensions = CallAttributes.of(request, baseURL: baseURL)
        if let operationID { dimensions.append(("operation", operationID)) }
        let span = Self.stopwatch(clock)
        do {
            let answer = try await next(request, body)
            record(span(), dimensions + [("http.response.status_code", "\(answer.0.status.code)")])
            return answer
        } catch {
            record(span(), dimensions + [("error.type", CallAttributes.type(of: error))])
            throw error
        }
    }

    private func record(_ span: Duration, _ dimensions: [(String, String)]) {
        let timer = Timer(label: Self.label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        timer.record(duration: span)
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}
#endif
