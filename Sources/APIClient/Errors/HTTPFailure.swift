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
    /// more has failed: it has not judged the request. So these statuses don't end a session, and don't say whether the
    /// request was carried out.
    ///
    /// [RFC 9110, 15.5.9 and 15.6](https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9),
    /// [RFC 8470, 5.2](https://www.rfc-editor.org/rfc/rfc8470#section-5.2),
    /// [RFC 6585, 4](https://www.rfc-editor.org/rfc/rfc6585#section-4).
    package static func isRetryable(status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

    /// Whether the client itself sends a repeatable request again, within the same call.
    ///
    /// Of the 5xx statuses it retries 502, 503 and 504, which say that the server is unavailable now. The others can be
    /// a fault that each repetition meets again.
    ///
    /// [RFC 9110, 15.6.3 to 15.6.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.6.3).
    static func isRetriedWithinCall(status: Int) -> Bool {
        isRetryable(status: status) && (status < 500 || (502...504).contains(status))
    }
}

/// The time that a server asks the client to wait.
///
/// Wire: `Retry-After`, in seconds or as a date.
/// [RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
package enum RetryAfter {
    private static let longest = 86_400

    /// Reads the time from a response.
    ///
    /// A date is compared with the response's own `Date` if it has one, so that a wrong clock on this device does no
    /// harm. Returns a time from zero to one day; nil if the field is missing or unreadable.
    package static func duration(in fields: HTTPFields, now: Date) -> Duration? {
        guard let text = fields[.retryAfter] else { return nil }
        if let seconds = Int(text) { return .seconds(min(max(0, seconds), longest)) }
        guard let moment = HTTPDate.parse(text, now: now) else { return nil }
        let sent = fields[.date].flatMap { HTTPDate.parse($0, now: now) } ?? now
        return .seconds(min(max(0, moment.timeIntervalSince(sent)), Double(longest)))
    }
}
