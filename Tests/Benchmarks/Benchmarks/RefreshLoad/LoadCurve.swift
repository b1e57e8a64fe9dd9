// SPDX-License-Identifier: Apache-2.0

/// The number of refreshes in each second.
struct LoadCurve {
    /// The refreshes, keyed by seconds since the sign-in.
    var refreshes: [Int: Int] = [:]

    /// The rates of all seconds from the first refresh to the last.
    private var rates: [Int] {
        guard let first = refreshes.keys.min(), let last = refreshes.keys.max() else { return [] }
        return (first...last).map { refreshes[$0] ?? 0 }
    }

    var peak: Int { rates.max() ?? 0 }
    var width: Int { rates.count }

    /// Returns the rate that a given fraction of the seconds does not exceed.
    func percentile(_ part: Double) -> Int {
        let sorted = rates.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)]
    }

    mutating func add(_ other: LoadCurve) {
        refreshes.merge(other.refreshes, uniquingKeysWith: +)
    }

    /// Returns a bar for every few seconds: their highest rate, relative to the highest of all.
    ///
    /// - Parameters:
    ///   - step: The number of seconds of a bar.
    ///   - scale: The factor of the rates.
    /// - Returns: Lines of text.
    func drawn(step: Int, scale: Int) -> String {
        guard let first = refreshes.keys.min() else { return "" }
        let rates = rates
        return stride(from: 0, to: rates.count, by: step)
            .map { index in
                let rate = rates[index..<min(index + step, rates.count)].max() ?? 0
                let bar = String(repeating: "#", count: max(1, rate * 60 / max(1, peak)))
                return "\(first + index) s  \(bar) \(rate * scale)"
            }
            .joined(separator: "\n")
    }
}
