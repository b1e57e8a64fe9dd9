// SPDX-License-Identifier: Apache-2.0

#if Metrics
public import Metrics
import Synchronization

/// The metrics of sessions, recorded with swift-metrics: sign-ins, refreshes, waits for locks, store calls and more.
///
/// <doc:ObservingSessionsInProduction> lists them. Their labels have values of closed sets. No metric names a user, a
/// token, a server or a key of the store. Several sessions may share one value; their measurements then add up.
///
/// Requires the trait `Metrics`, which is off by default.
public struct SessionMetrics: Sendable {
    private let factory: any MetricsFactory
    private let timers = MetricCache<Timer>()
    private let counters = MetricCache<Counter>()

    /// Creates the metrics.
    ///
    /// - Parameter factory: The metrics factory; nil for the program's, as set up at this moment. Set up
    ///   `MetricsSystem` first.
    public init(factory: (any MetricsFactory)? = nil) {
        self.factory = factory ?? MetricsSystem.factory
    }
}

extension SessionMetrics: SessionMeter {
    func record(_ duration: Duration, of metric: SessionMetric) {
        let timer = timers.handle(of: metric) {
            Timer(label: metric.name, dimensions: metric.labels, factory: factory)
        }
        timer.record(duration: duration)
    }

    func count(_ metric: SessionMetric) {
        let counter = counters.handle(of: metric) {
            Counter(label: metric.name, dimensions: metric.labels, factory: factory)
        }
        counter.increment()
    }
}

/// The objects of swift-metrics that were made before.
///
/// There are at most as many as the labels have combinations of values.
private final class MetricCache<Handle: Sendable>: Sendable {
    private let handles = Mutex<[SessionMetric: Handle]>([:])

    func handle(of metric: SessionMetric, _ make: () -> Handle) -> Handle {
        if let known = handles.withLock({ $0[metric] }) { return known }
        // The factory is the app's code, so it is called outside of the lock. It returns equal objects for equal labels.
        let new = make()
        return handles.withLock { handles in
            if let known = handles[metric] { return known }
            handles[metric] = new
            return new
        }
    }
}
#endif
