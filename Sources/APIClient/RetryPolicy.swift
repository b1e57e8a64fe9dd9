// SPDX-License-Identifier: Apache-2.0

/// A policy for retries after a transient error: their number and their pauses.
///
/// A request is sent again only if one of these is true:
/// - The request surely did not reach the server.
/// - The connection failed or timed out, or the status is 408, 425, 429, 502, 503 or 504, and the request is
///   idempotent: it is a GET, HEAD, OPTIONS, TRACE, QUERY, PUT or DELETE, or carries an `Idempotency-Key`.
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
