// SPDX-License-Identifier: Apache-2.0

#if Metrics
import AuthCore
public import HTTPTypes
public import Metrics

/// An interceptor that records the duration and the outcome of calls with swift-metrics.
///
/// One timer, `http.client.request.duration`, as OpenTelemetry names it, in nanoseconds: from the call's beginning to
/// its final response, with all attempts, pauses and refreshes. Its dimensions are `http.request.method`,
/// `server.address` (`elsewhere` for a call to another origin than the base address's), `http.response.status_code` or,
/// if there was no response, `error.type`, and `operation` if the endpoint has a name. No path, query, field or body.
///
/// Requires the trait `Metrics`, which is off by default.
public struct MetricsInterceptor: Interceptor {
    /// The timer's name.
    public static let label = "http.client.request.duration"

    private let factory: (any MetricsFactory)?
    private let clock: MonotonicClock

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - factory: The metrics factory; nil for the program's, as set up when a call ends.
    ///   - clock: The clock for durations.
    public init(factory: (any MetricsFactory)? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.factory = factory
        self.clock = MonotonicClock(clock)
    }

    /// Passes the call on, and records its outcome.
    ///
    /// - Parameters:
    ///   - request: The request, passed on as it is.
    ///   - body: The body, passed on as it is.
    ///   - baseURL: The client's base address.
    ///   - operationID: The endpoint's name.
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
        var dimensions = CallAttributes.of(request, baseURL: baseURL)
        if let operationID { dimensions.append(("operation", operationID)) }
        let start = clock.now
        do {
            let response = try await next(request, body)
            record(clock.now - start, dimensions + [("http.response.status_code", "\(response.0.status.code)")])
            return response
        } catch {
            record(clock.now - start, dimensions + [("error.type", CallAttributes.type(of: error))])
            throw error
        }
    }

    private func record(_ span: Duration, _ dimensions: [(String, String)]) {
        let timer = Timer(label: Self.label, dimensions: dimensions, factory: factory ?? MetricsSystem.factory)
        timer.record(duration: span)
    }
}
#endif
