// SPDX-License-Identifier: Apache-2.0

import AuthCore
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The one table of HTTP statuses that report a transient failure.
package enum HTTPFailure {
    /// Whether the same request may succeed later without any change.
    ///
    /// A server that responds with 408, 425 or 429 asks the client to try again. A server that responds with 500 or
    /// more has failed: it has not judged the request. So no such status alone ends a session, or says whether the
    /// request was carried out. [RFC 9110, 15.5.9 and 15.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9).
    package static func isRetryable(status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

    /// Whether the client itself sends a repeatable request again, within the same call.
    ///
    /// Of the 5xx statuses those that say that the server is unavailable now: another can be a fault that each repetition
    /// meets again.
    static func isRetriedWithinCall(status: Int) -> Bool { [408, 425, 429, 502, 503, 504].contains(status) }
}

/// The time that a server asks the client to wait: `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3).
package enum RetryAfter {
    private static let longest = 86_400

    /// Reads a time from zero to one day from a response; nil if the field is missing or unreadable.
    ///
    /// A date is compared with the response's own `Date`, so that a wrong clock on this device does no harm.
    package static func duration(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if let seconds = Int(text) { return .seconds(min(max(0, seconds), longest)) }
        guard let moment = HTTPDate.parse(text, now: now) else { return nil }
        let sent = fields[.date].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, moment.timeIntervalSince(sent)), Double(longest)))
    }
}
