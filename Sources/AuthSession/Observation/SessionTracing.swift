// SPDX-License-Identifier: Apache-2.0

#if Tracing
public import Tracing

/// The spans of sessions, made with swift-distributed-tracing: one for each sign-in, refresh and sign-out.
///
/// <doc:ObservingSessionsInProduction> lists them. A span is made when its operation ends, and begins when that began.
///
/// Requires the trait `Tracing`, which is off by default.
public struct SessionTracing: SessionObserver {
    private let tracer: (any Tracer)?

    /// Creates the tracing.
    ///
    /// - Parameter tracer: The tracer; nil for the program's, as set up when an operation ends.
    public init(tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Makes the span of an operation that has ended.
    public func observe(_ event: SessionEvent) {
        guard let operation = event.operation else { return }
        let (tracer, end) = (tracer ?? InstrumentationSystem.tracer, DefaultTracerClock.now)
        let length = UInt64(max(0, operation.duration / .nanoseconds(1)))
        let begin = DefaultTracerClock.Timestamp(
            nanosecondsSinceEpoch: end.nanosecondsSinceEpoch - min(length, end.nanosecondsSinceEpoch)
        )
        let span = tracer.startSpan("sallyport.session.\(operation.name)", at: begin)
        span.attributes["outcome"] = operation.outcome
        if case .refreshEnded(let refresh) = event {
            span.attributes["joined"] = refresh.joined
            span.attributes["replayed"] = refresh.isReplay
        }
        if let type = operation.errorType {
            span.attributes["error.type"] = type
            span.setStatus(SpanStatus(code: .error))
        }
        span.end(at: end)
    }
}
#endif
