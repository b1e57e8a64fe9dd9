// SPDX-License-Identifier: Apache-2.0

#if Tracing
public import Tracing

/// The spans of sessions, made with swift-distributed-tracing: one for each sign-in, refresh and sign-out.
///
/// <doc:ObservingSessionsInProduction> lists them and their attributes. The values of the attributes are numbers,
/// Booleans and names of closed sets. No span names a user, a token or a server, or holds the text of an error.
///
/// Requires the trait `Tracing`, which is off by default.
public struct SessionTracing: Sendable {
    private let tracer: (any Tracer)?

    /// Creates the tracing.
    ///
    /// - Parameter tracer: The tracer; nil for the program's, as set up when an operation begins.
    public init(tracer: (any Tracer)? = nil) {
        self.tracer = tracer
    }
}

extension SessionTracing: SessionTracer {
    func begin(_ name: String) -> any SessionSpan {
        let tracer = tracer ?? InstrumentationSystem.tracer
        return OperationSpan(span: tracer.startAnySpan(name, ofKind: .internal))
    }
}

/// A span of swift-distributed-tracing.
private struct OperationSpan: SessionSpan {
    let span: any Tracing.Span

    func run<Value: Sendable>(_ request: @Sendable () async throws -> Value) async rethrows -> Value {
        try await ServiceContext.withValue(span.context) { try await request() }
    }

    func end(_ result: MeasuredResult) {
        span.attributes["outcome"] = result.outcome.name
        if let joined = result.joined { span.attributes["joined"] = joined }
        if let isReplayed = result.isReplayed { span.attributes["replayed"] = isReplayed }
        if let error = result.error {
            span.attributes["error.type"] = error.name
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }
}
#endif
