// SPDX-License-Identifier: Apache-2.0

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

/// The measurement of one operation, from its creation to its end.
///
/// Only the first end counts. A measurement that nobody ends, because the app gave the operation up, ends as
/// `abandoned`.
final class OperationMeasurement: Sendable {
    let meter: (any SessionMeter)?
    let uptime: @Sendable () -> Duration
    private let operation: MeasuredOperation
    private let span: (any SessionSpan)?
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
        let isCancelled = Self.isCancellation(error)
        end(
            MeasuredResult(
                outcome: isCancelled ? .cancelled : .failed,
                error: isCancelled ? nil : MeasuredOutcome(error)
            )
        )
    }

    /// Returns whether the app or the user cancelled the operation.
    ///
    /// A user who closes the page of a sign-in is not a failure of the sign-in.
    private static func isCancellation(_ error: any Error) -> Bool {
        switch error {
        case is CancellationError: true
        case let error as AuthSessionError: error.code == .signInCancelled
        case let error as any PresentableError: error.presentation == .hidden
        default: false
        }
    }

    /// Ends the measurement.
    func end(_ result: MeasuredResult) {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        let metric = SessionMetric.operation(operation, result.outcome, error: result.error ?? .noError)
        meter?.record(uptime() - begunAt, of: metric)
        span?.end(result)
    }
}
