// SPDX-License-Identifier: Apache-2.0

#if Metrics
public import Metrics
import SecureStore

/// The metrics of sessions, recorded with swift-metrics.
///
/// <doc:ObservingSessionsInProduction> lists them. The values of several sessions add up.
///
/// Requires the trait `Metrics`, which is off by default.
public struct SessionMetrics: SessionObserver {
    private let factory: any MetricsFactory

    /// Creates the metrics.
    ///
    /// - Parameter factory: The metrics factory; nil for the program's, as set up at this moment. Set up
    ///   `MetricsSystem` first.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory ?? MetricsSystem.factory }

    /// Records an event.
    public func observe(_ event: SessionEvent) {
        if let operation = event.operation {
            // swift-prometheus requires that a metric always has the same labels.
            let labels = [("outcome", operation.outcome), ("error.type", operation.errorType ?? "none")]
            record(operation.duration, of: operation.name, labels)
        }
        switch event {
        case .signInEnded, .signOutEnded: break
        case .refreshBegan: count("refresh.begun")
        case .refreshEnded(let refresh):
            count("refresh.joined", by: refresh.joined)
            count("refresh.replayed", by: refresh.isReplay ? 1 : 0)
            if let lock = refresh.lock { record(refresh.lockWait, of: "lock.wait", [("outcome", lock.rawValue)]) }
        case .adopted: count("adopted")
        case .wentOffline: count("offline")
        case .cameOnline: count("online")
        case .tokensUnsaved(let code): count("unsaved", [("error.type", code.description)])
        case .tokensSaved: count("saved")
        case .sessionEnded(let reason): count("ended", [("reason", reason.name)])
        }
    }

    private func record(_ duration: Duration, of name: String, _ labels: [(String, String)]) {
        let label = "sallyport.session.\(name).duration"
        Timer(label: label, dimensions: labels, factory: factory).record(duration: duration)
    }

    private func count(_ name: String, by amount: Int = 1, _ labels: [(String, String)] = []) {
        guard amount > 0 else { return }
        Counter(label: "sallyport.session.\(name)", dimensions: labels, factory: factory).increment(by: amount)
    }
}
#endif
