// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// A recorder of a session's metrics.
///
/// The trait `Metrics` has the only one.
protocol SessionMeter: Sendable {
    /// Records a duration.
    func record(_ duration: Duration, of metric: SessionMetric)

    /// Counts one event.
    func count(_ metric: SessionMetric)
}

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

/// The instruments of a session, as far as its options have them.
///
/// Without metrics and tracing, which is the default, nothing is measured and no clock is read.
struct SessionInstruments: Sendable {
    private let meter: (any SessionMeter)?
    private let tracer: (any SessionTracer)?
    private let uptime: @Sendable () -> Duration

    init(_ meter: (any SessionMeter)?, _ tracer: (any SessionTracer)?, _ clock: SessionClock) {
        (self.meter, self.tracer, uptime) = (meter, tracer, clock.uptime)
    }

    /// Begins to measure a sign-in or a sign-out; nil if nothing is measured.
    func begin(_ operation: MeasuredOperation) -> OperationMeasurement? {
        guard meter != nil || tracer != nil else { return nil }
        return OperationMeasurement(operation, meter, tracer?.begin(operation.rawValue), uptime)
    }

    /// Begins to measure a refresh; nil if nothing is measured.
    ///
    /// - Parameter isForResource: Whether another API's access token is requested.
    /// - Returns: The measurement.
    func beginRefresh(isForResource: Bool) -> RefreshMeasurement? {
        begin(isForResource ? .resourceToken : .refresh).map { RefreshMeasurement($0) }
    }

    /// Counts a session that has ended.
    ///
    /// - Parameter reason: The reason for its end.
    func sessionEnded(because reason: MeasuredOutcome) {
        meter?.count(.sessionEnded(reason))
    }

    /// Returns a store whose calls are measured; the same store if they are not.
    func metered(_ store: any SecureStore) -> any SecureStore {
        guard let meter else { return store }
        return MeteredStore(store, meter, uptime)
    }
}
