// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// Readable times and durations.
enum RelativeTime {
    /// Returns a time such as `2026-11-21T05:10:11Z (in 14 minutes)`.
    static func moment(_ date: Date, now: Date = Date()) -> String {
        "\(date.formatted(.iso8601)) (\(distance(date.timeIntervalSince(now))))"
    }

    static func distance(_ seconds: Double) -> String {
        let span = words(abs(seconds))
        return seconds >= 0 ? "in \(span)" : "\(span) ago"
    }

    private static func words(_ seconds: Double) -> String {
        switch seconds {
        case ..<90: count(seconds, "second")
        case ..<5_400: count(seconds / 60, "minute")
        case ..<129_600: count(seconds / 3_600, "hour")
        default: count(seconds / 86_400, "day")
        }
    }

    private static func count(_ value: Double, _ unit: String) -> String {
        let whole = Int(value.rounded())
        return whole == 1 ? "1 \(unit)" : "\(whole) \(unit)s"
    }
}
