/// A maker of spans for a session's operations.
///
/// The trait `Tracing` has the only one.
protocol SessionTracer: Sendable {
    /// Begins a span within the one of the current task.
    func begin(_ name: String) -> any SessionSpan
}

/// A span of one operation, which must be ended once.
protocol SessionSpan: Sendable {
    /// Runs a request of the operation, so that a span of the request is within this one.
    func run<Value: Sendable>(_ request: @Sendable () async throws -> Value) async rethrows -> Value

    /// Ends the span.
    func end(_ result: MeasuredResult)
}

/// The result of an operation, for its span.
struct MeasuredResult: Sendable {
    let outcome: MeasuredOutcome
    /// The kind of the error; nil for no error.
    var error: MeasuredOutcome?
    /// The number of requests that joined a refresh; nil for another operation.
    var joined: Int?
    /// Whether a refresh was sent more than once; nil for another operation.
    var isReplayed: Bool?
}
