// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

/// [RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
@Suite struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The RFC's example in its three forms, and other dates.
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun Nov 16 08:49:37 1994", 784_975_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Friday, 15-Jan-27 08:00:00 GMT", 1_800_000_000),
            ("Monday, 01-Jan-77 00:00:00 GMT", 3_376_684_800), ("Sunday, 01-Jan-78 00:00:00 GMT", 252_460_800),
            // Almost 51 years ahead by date, but 50 by year.
            ("Friday, 31-Dec-77 23:59:59 GMT", 252_460_799),
        ] as [(String, Double)]
    )
    func `a date is parsed in each of its three formats`(text: String, seconds: Double) {
        #expect(HTTPDate.parse(text, now: Self.now) == Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", " ", "now", "0", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Thu, 29 Feb 2023 00:00:00 GMT",
        "Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  16 08:49:37 1994",
        "Sun  Nov 16 08:49:37 1994", " Sun Nov 16 08:49:37 1994", "Sun Nov 16 08:49:37  1994",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT\u{0}",
        "\u{FF11}, 06 Nov 1994 08:49:37 GMT", "Sun, \u{0660}6 Nov 1994 08:49:37 GMT",
    ])
    func `an invalid date is rejected`(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test func `a two-digit year is resolved across the end of a century`() {
        let end = Date(timeIntervalSince1970: 4_102_444_799)  // 2099-12-31 23:59:59
        #expect(
            HTTPDate.parse("Thursday, 01-Jan-05 00:00:00 GMT", now: end) == Date(timeIntervalSince1970: 4_260_211_200)
        )
    }

    @Test(arguments: [-Double.infinity, .infinity, .nan, 1e30, -1e300])
    func `a date is rejected if the clock's time is out of range`(now: Double) {
        let now = Date(timeIntervalSince1970: now)
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: now) == nil)
        #expect(ClockOffset(dateField: "Sun, 06 Nov 1994 08:49:37 GMT", sent: now, received: now) == nil)
    }

    @Test func `a very long text is rejected`() {
        #expect(HTTPDate.parse(String(repeating: "Sun, ", count: 100_000), now: Self.now) == nil)
    }
}
