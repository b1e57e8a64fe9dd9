import SecureStore

/// The instruments of a session, as far as its options have them.
///
/// Without metrics and tracing, which is the default, nothing is measured and no clock is read.
struct SessionInstruments: Sendable {
    private let meter: (any SessionMeter)?
    private let tracer: (any SessionTracer)?
    private let uptime: @Sendable () -> Duration

    init(_ options: SessionOptions, _ clock: SessionClock) {
        (meter, tracer, uptime) = (options.meter, options.tracer, clock.uptime)
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
        begin(isForResource ? .resourceToken : .refresh).map { RefreshMeasurement($0, meter, uptime) }
    }

    /// Counts a session that has ended.
    func sessionEnded(because reason: SignedOutReason) {
        meter?.count(.sessionEnded(MeasuredOutcome(reason)))
    }

    /// Returns a store whose calls are measured; the same store if they are not.
    func metered(_ store: any SecureStore) -> any SecureStore {
        guard let meter else { return store }
        return MeteredStore(store, meter, uptime)
    }
}
