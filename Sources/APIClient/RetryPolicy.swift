// SPDX-License-Identifier: Apache-2.0

import AuthCore
package import HTTPTypes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A policy for retries after a transient error: their number and their pauses.
///
/// A request is sent again only if one of these is true:
/// - The request surely did not reach the server.
/// - The connection failed or timed out, or the status is 408, 425, 429, 502, 503 or 504, and the request is
///   idempotent: it is a GET, HEAD, OPTIONS, PUT or DELETE, or carries an `Idempotency-Key`.
///
/// [RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
public struct RetryPolicy: Sendable, Hashable {
    /// The largest number of retries; the first attempt is not counted.
    public var maximumRetries: Int
    /// The upper limit of the first pause.
    ///
    /// Each pause is random, between zero and a limit that doubles from pause to pause.
    public var firstPause: Duration
    /// The upper limit of any pause that the server did not ask for.
    public var longestPause: Duration
    /// The longest `Retry-After` that is honored.
    ///
    /// If the server asks for more, the call ends at once with its response: an earlier retry would not help.
    public var longestRetryAfter: Duration

    /// Creates a policy.
    public init(
        maximumRetries: Int = 3,
        firstPause: Duration = .milliseconds(200),
        longestPause: Duration = .seconds(10),
        longestRetryAfter: Duration = .seconds(60)
    ) {
        self.maximumRetries = maximumRetries
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.longestRetryAfter = longestRetryAfter
    }

    /// The default policy: three retries at most.
    public static let standard = RetryPolicy()

    /// The policy without retries: every error is thrown at once.
    public static let never = RetryPolicy(maximumRetries: 0)

    /// Returns the pause before a retry.
    ///
    /// Exponential backoff with full jitter, so that clients that failed together do not retry together.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from zero.
    ///   - retryAfter: The pause that the server asks for; nil if it does not ask.
    ///   - chance: A random number from zero up to one.
    /// - Returns: The pause; nil if the server asks for more than ``longestRetryAfter``.
    func pause(before retry: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        var limit = firstPause
        for _ in 0..<max(0, retry) where limit < longestPause { limit *= 2 }
        let drawn = min(limit, longestPause) * min(max(0, chance), 1)
        guard let retryAfter else { return drawn }
        return retryAfter <= longestRetryAfter ? max(retryAfter, drawn) : nil
    }
}

/// The one table of HTTP statuses that report a transient failure.
package enum HTTPFailure {
    /// Whether the same request may succeed later without any change.
    ///
    /// A server that responds with 408, 425 or 429 asks the client to try again. A server that responds with 500 or
    /// more has failed: it has not judged the request. So these statuses decide nothing and don't end a session. They
    /// don't say either whether the request was carried out.
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
