// SPDX-License-Identifier: Apache-2.0

#if Metrics
import MetricsTestKit

@testable import AuthSession

extension TestMetrics {
    /// Returns the recorded durations of a timer with exactly these labels, in nanoseconds.
    func durations(_ name: String, _ labels: [String: String]) -> [Int64] {
        timers(label: "sallyport.session." + name)
            .filter { Dictionary(uniqueKeysWithValues: $0.dimensions) == labels }
            .flatMap(\.values)
    }

    /// Returns the recorded values of a timer or counter with exactly these labels.
    func values(_ name: String, _ labels: [String: String]) -> [Int64] {
        let counted = counters(label: "sallyport.session." + name)
            .filter { Dictionary(uniqueKeysWithValues: $0.dimensions) == labels }
        return durations(name, labels) + counted.flatMap(\.values)
    }

    /// The number of all values of a timer.
    func count(_ name: String) -> Int {
        timers(label: "sallyport.session." + name).reduce(0) { $0 + $1.values.count }
    }

    /// The number of all values of all timers and counters.
    var total: Int {
        timers.reduce(0) { $0 + $1.values.count } + counters.reduce(0) { $0 + $1.values.count }
    }
}

extension SessionOptions {
    static func measured(by metrics: TestMetrics) -> SessionOptions {
        var options = SessionOptions.still
        options.observers = [SessionMetrics(factory: metrics)]
        return options
    }
}
#endif
