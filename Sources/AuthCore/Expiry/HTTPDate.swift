#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A moment as HTTP writes it, in any of its three forms, all of which a recipient MUST take.
///
/// [RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let shortDays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let longDays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// Reads a moment.
    ///
    /// - Parameters:
    ///   - text: A header field's value. From outside.
    ///   - now: What a year of two digits is understood by.
    /// - Returns: The moment, or nil for what is none.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        switch words.count {
        case 6 where words[0].last == ",": return fixdate(words)
        case 4 where words[0].last == ",": return rfc850(words, now: now)
        // A day of one digit is written with two spaces before it.
        case 5, 6: return asctime(words.filter { !$0.isEmpty })
        default: return nil
        }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func fixdate(_ words: [Substring]) -> Date? {
        guard shortDays.contains(String(words[0].dropLast())), words[5] == "GMT",
            let day = number(words[1], digits: 2), let year = number(words[3], digits: 4)
        else { return nil }
        return date(year, words[2], day, words[4])
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ words: [Substring], now: Date) -> Date? {
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard longDays.contains(String(words[0].dropLast())), words[3] == "GMT", parts.count == 3,
            let day = number(parts[0], digits: 2), let short = number(parts[2], digits: 2)
        else { return nil }
        let thisYear = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
        var year = thisYear - thisYear % 100 + short
        // More than 50 years ahead it MUST be taken for the past.
        if year > thisYear + 50 { year -= 100 }
        return date(year, parts[1], day, words[2])
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ words: [Substring]) -> Date? {
        guard words.count == 5, shortDays.contains(String(words[0])),
            let day = number(words[2], digits: words[2].count == 1 ? 1 : 2), let year = number(words[4], digits: 4)
        else { return nil }
        return date(year, words[1], day, words[3])
    }

    private static func date(_ year: Int, _ month: Substring, _ day: Int, _ time: Substring) -> Date? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let index = months.firstIndex(of: String(month)), parts.count == 3,
            let hour = number(parts[0], digits: 2), let minute = number(parts[1], digits: 2),
            let second = number(parts[2], digits: 2), hour < 24, minute < 60,
            // A leap second.
            second <= 60, (1...daysIn(month: index + 1, of: year)).contains(day)
        else { return nil }
        let seconds = daysSince1970(year, index + 1, day) * 86_400 + hour * 3_600 + minute * 60 + second
        return Date(timeIntervalSince1970: Double(seconds))
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

    /// Days of the Gregorian calendar, in years that begin in March so that a leap day is the last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
