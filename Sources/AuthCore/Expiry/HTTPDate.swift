// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The parser of HTTP's date formats.
///
/// A recipient MUST accept all three. [RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Parses a date.
    ///
    /// - Parameters:
    ///   - text: A header field's value. Untrusted.
    ///   - now: The current moment, by which a two-digit year is interpreted.
    /// - Returns: The date, or nil if the text is not one.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard isOfThisEra(now), text.utf8.count <= 40, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 6 where words[0].last == ",": return fixdate(words)
        case 4 where words[0].last == ",": return rfc850(words, now: now)
        case 5: return asctime(words, day: words[2], digits: 2)
        // The asctime format writes two spaces before a day of one digit.
        case 6 where words[2].isEmpty: return asctime(words, day: words[3], digits: 1)
        default: return nil
        }
    }

    /// Whether a date is within three thousand years of 1970.
    ///
    /// Any other date, such as an infinite one or NaN, would break the date arithmetic.
    static func isOfThisEra(_ moment: Date) -> Bool { abs(moment.timeIntervalSince1970) < 1e11 }

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ words: [Substring]) -> Date? {
        guard shortDays.contains(String(words[0].dropLast())), words[5] == "GMT",
            let day = number(words[1], digits: 2), let year = number(words[3], digits: 4)
        else { return nil }
        return date(year, words[2], day, words[4])
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ words: [Substring], now: Date) -> Date? {
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard longDays.contains(String(words[0].dropLast())), words[3] == "GMT", parts.count == 3,
            let day = number(parts[0], digits: 2), let short = number(parts[2], digits: 2)
        else { return nil }
        // A date that appears more than 50 years ahead MUST be read as the latest past year with the same two digits.
        let latest = now.addingTimeInterval(50 * secondsInYear)
        let century = Int(now.timeIntervalSince1970 / secondsInYear + 1970) / 100
        return [century + 1, century, century - 1].lazy
            .compactMap { date($0 * 100 + short, parts[1], day, words[2]) }
            .first { $0 <= latest }
    }

    /// The mean length of a Gregorian year.
    private static let secondsInYear = 31_556_952.0

    /// Parses `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ words: [Substring], day: Substring, digits: Int) -> Date? {
        guard shortDays.contains(String(words[0])), let day = number(day, digits: digits),
            let year = number(words[words.count - 1], digits: 4)
        else { return nil }
        return date(year, words[1], day, words[words.count - 2])
    }

    private static func date(_ year: Int, _ month: Substring, _ day: Int, _ time: Substring) -> Date? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let index = months.firstIndex(of: String(month)), parts.count == 3,
            let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60,
            // 60 is a leap second.
            second <= 60, (1...daysIn(month: index + 1, of: year)).contains(day)
        else { return nil }
        // A Double, because an Int has 32 bits on some watches and would overflow in 2038.
        let seconds = Double(daysSince1970(year, index + 1, day)) * 86_400
        return Date(timeIntervalSince1970: seconds + Double(hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }

    private static func daysIn(month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970, computed with years that begin in March so that a leap day is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
