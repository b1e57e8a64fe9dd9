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
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// The formats: `w` stands for a day of the week, `W` for its long name, `m` for a month,
    /// and another lower-case letter for a digit.
    private static let patterns = [
        "w, dd m yyyy hh:ii:ss GMT", "W, dd-m-yy hh:ii:ss GMT", "w m dd hh:ii:ss yyyy", "w m  d hh:ii:ss yyyy",
    ]

    /// Parses a date.
    ///
    /// - Parameters:
    ///   - text: A header field's value. Untrusted.
    ///   - now: The current moment, by which a two-digit year is interpreted.
    /// - Returns: The date, or nil if the text is not one.
    package static func parse(_ text: String, now: Date) -> Date? {
        guard isOfThisEra(now), text.utf8.count <= 40 else { return nil }
        return patterns.lazy.compactMap { fields(of: text, in: $0) }.first.flatMap { date($0, now: now) }
    }

    /// Whether a date is within three thousand years of 1970.
    ///
    /// Any other date, such as an infinite one or NaN, would break the date arithmetic.
    static func isOfThisEra(_ moment: Date) -> Bool { abs(moment.timeIntervalSince1970) < 1e11 }

    /// Returns the numbers in a text by their letters in the pattern; nil if the text has another form.
    private static func fields(of text: String, in pattern: String) -> [Character: Int]? {
        var rest = Substring(text).utf8
        var fields: [Character: Int] = [:]
        for letter in pattern {
            switch letter {
            case "w", "W", "m":
                let names = letter == "m" ? months : letter == "W" ? days : days.map { String($0.prefix(3)) }
                guard let index = names.firstIndex(where: { rest.starts(with: $0.utf8) }) else { return nil }
                fields[letter] = index
                rest = rest.dropFirst(names[index].utf8.count)
            case "d", "y", "h", "i", "s":
                guard let digit = rest.popFirst(), (0x30...0x39).contains(digit) else { return nil }
                fields[letter] = fields[letter, default: 0] * 10 + Int(digit & 0xF)
            default:
                guard rest.popFirst() == letter.asciiValue else { return nil }
            }
        }
        return rest.isEmpty ? fields : nil
    }

    private static func date(_ fields: [Character: Int], now: Date) -> Date? {
        guard let year = fields["y"], let month = fields["m"], let day = fields["d"], let hour = fields["h"],
            let minute = fields["i"], let second = fields["s"], hour < 24, minute < 60,
            // 60 is a leap second.
            second <= 60
        else { return nil }
        func date(in year: Int) -> Date? {
            let first = daysSince1970(year, month, 1)
            guard (1...daysSince1970(year, month + 1, 1) - first).contains(day) else { return nil }
            // A Double, because an Int has 32 bits on some watches and would overflow in 2038.
            let seconds = Double(first + day - 1) * 86_400
            return Date(timeIntervalSince1970: seconds + Double(hour * 3_600 + minute * 60 + second))
        }
        guard fields["W"] != nil else { return date(in: year) }
        // A date that appears more than 50 years ahead MUST be read as the latest past year with the same two digits.
        let latest = now.addingTimeInterval(50 * secondsInYear)
        let century = Int(now.timeIntervalSince1970 / secondsInYear + 1970) / 100
        return [century + 1, century, century - 1].lazy.compactMap { date(in: $0 * 100 + year) }.first { $0 <= latest }
    }

    /// The mean length of a Gregorian year.
    private static let secondsInYear = 31_556_952.0

    /// Returns the days since 1970, computed with years that begin in March so that a leap day is the last.
    ///
    /// The months count from 0; 12 is the next year's first.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month < 2 ? year - 1 : year
        let dayOfYear = (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
