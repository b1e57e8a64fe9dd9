// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A readable time: the time of day, with the date if it isn't today.
public enum ClockTime {
    /// Returns the text of a time in the user's time zone.
    public static func text(of date: Date, now: Date = Date(), calendar: Calendar = .current) -> String {
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        let time = "\(twoDigits(parts.hour)):\(twoDigits(parts.minute))"
        if calendar.isDate(date, inSameDayAs: now) { return time }
        return "\(parts.year ?? 0)-\(twoDigits(parts.month))-\(twoDigits(parts.day)) \(time)"
    }

    private static func twoDigits(_ number: Int?) -> String {
        let text = String(number ?? 0)
        return text.count < 2 ? "0" + text : text
    }
}
