/// How many refreshes came in which second.
struct LoadCurve {
    /// By seconds since the sign-in.
    var refreshes: [Int: Int] = [:]

    /// Of every second from the first refresh to the last one.
    private var rates: [Int] {
        guard let first = refreshes.keys.min(), let last = refreshes.keys.max() else { return [] }
        return (first...last).map { refreshes[$0] ?? 0 }
    }

    var peak: Int { rates.max() ?? 0 }
    var width: Int { rates.count }

    /// What so large a part of the seconds does not exceed.
    func percentile(_ part: Double) -> Int {
        let sorted = rates.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int((Double(sorted.count) * part).rounded(.up)) - 1)]
    }

    mutating func add(_ other: LoadCurve) {
        refreshes.merge(other.refreshes, uniquingKeysWith: +)
    }

    /// A bar for every few seconds: the highest rate in them, against the highest of all.
    ///
    /// - Parameters:
    ///   - step: How many seconds a bar stands for.
    ///   - scale: What the rates are multiplied by.
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
