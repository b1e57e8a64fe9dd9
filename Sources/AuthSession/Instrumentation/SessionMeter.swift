/// A recorder of a session's metrics.
///
/// The trait `Metrics` has the only one.
protocol SessionMeter: Sendable {
    /// Records a duration.
    func record(_ duration: Duration, of metric: SessionMetric)

    /// Counts one event.
    func count(_ metric: SessionMetric)
}
