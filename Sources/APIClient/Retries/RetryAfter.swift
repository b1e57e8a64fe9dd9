// SPDX-License-Identifier: Apache-2.0

import AuthCore
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The time that a server asks the client to wait.
///
/// Wire: `Retry-After`, in seconds or as a date.
/// [RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
package enum RetryAfter {
    private static let longest = 86_400

    /// Reads the time from a response.
    ///
    /// A date is compared with the response's own `Date` if it has one, so that a wrong clock on this device does no
    /// harm.
    ///
    /// - Parameters:
    ///   - fields: The response's fields. Untrusted.
    ///   - now: The time of this device's clock.
    /// - Returns: The time, from zero to one day; nil if the field is missing or unreadable.
    package static func duration(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if let seconds = Int(text) { return .seconds(min(max(0, seconds), longest)) }
        guard let moment = HTTPDate.parse(text, now: now) else { return nil }
        let sent = fields[.date].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, moment.timeIntervalSince(sent)), Double(longest)))
    }
}
