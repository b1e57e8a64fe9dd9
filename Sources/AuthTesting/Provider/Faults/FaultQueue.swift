// SPDX-License-Identifier: Apache-2.0

/// The pending faults of each endpoint, in order.
struct FaultQueue: Sendable {
    private struct Entry: Sendable {
        let faults: [InProcessProvider.Fault]
        var times: Int
    }

    private var entries: [InProcessProvider.Endpoint: [Entry]] = [:]

    mutating func append(_ faults: [InProcessProvider.Fault], times: Int) {
        guard times > 0 else { return }
        for (endpoint, faults) in Dictionary(grouping: faults, by: \.endpoint) {
            entries[endpoint, default: []].append(Entry(faults: faults, times: times))
        }
    }

    /// Returns the faults of the next request, without removing them.
    func next(at endpoint: InProcessProvider.Endpoint) -> AppliedFaults {
        AppliedFaults(effects: entries[endpoint]?.first?.faults.map(\.effect) ?? [])
    }

    /// Removes faults that have occurred.
    mutating func consume(at endpoint: InProcessProvider.Endpoint) {
        guard var rest = entries[endpoint], let entry = rest.first else { return }
        if entry.times > 1 { rest[0].times -= 1 } else { rest.removeFirst() }
        entries[endpoint] = rest
    }
}
