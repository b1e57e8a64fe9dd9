import Synchronization

/// An operation of a session that is measured as a whole.
///
/// The raw value is the name of its span.
enum MeasuredOperation: String, Sendable {
    case signIn = "sallyport.session.sign_in"
    case refresh = "sallyport.session.refresh"
    /// The request for another API's access token.
    case resourceToken = "sallyport.session.resource_token"
    case signOut = "sallyport.session.sign_out"

    func metric(_ outcome: MeasuredOutcome, error: MeasuredOutcome) -> SessionMetric {
        switch self {
        case .signIn: .signIn(outcome, error: error)
        case .refresh: .refresh(outcome, error: error)
        case .resourceToken: .resourceToken(outcome, error: error)
        case .signOut: .signOut(outcome, error: error)
        }
    }
}

/// The measurement of one operation, from its creation to its end.
///
/// Only the first end counts. A measurement that nobody ends, because the app gave the operation up, ends as
/// `abandoned`.
final class OperationMeasurement: Sendable {
    private let operation: MeasuredOperation
    private let meter: (any SessionMeter)?
    private let span: (any SessionSpan)?
    private let uptime: @Sendable () -> Duration
    private let begunAt: Duration
    private let hasEnded = Mutex(false)

    init(
        _ operation: MeasuredOperation,
        _ meter: (any SessionMeter)?,
        _ span: (any SessionSpan)?,
        _ uptime: @escaping @Sendable () -> Duration
    ) {
        (self.operation, self.meter, self.span, self.uptime) = (operation, meter, span, uptime)
        begunAt = uptime()
    }

    deinit {
        end(MeasuredResult(outcome: .abandoned))
    }

    /// Runs a request of the operation, so that a span of the request is within the operation's.
    func run<Value: Sendable>(_ request: @Sendable () async throws -> Value) async rethrows -> Value {
        guard let span else { return try await request() }
        return try await span.run(request)
    }

    /// Ends the measurement with an error.
    func fail(_ error: any Error) {
        let isCancelled = error is CancellationError
        end(
            MeasuredResult(
                outcome: isCancelled ? .cancelled : .failed,
                error: isCancelled ? nil : MeasuredOutcome(error)
            )
        )
    }

    /// Ends the measurement.
    func end(_ result: MeasuredResult) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        meter?.record(uptime() - begunAt, of: operation.metric(result.outcome, error: result.error ?? .noError))
        span?.end(result)
    }
}
