/// How often a call is sent again that a passing fault ended, and with what pauses.
///
/// Sent again is only what may be: a request that surely did not reach the server, or one whose method is idempotent
/// (GET, HEAD, OPTIONS, PUT, DELETE) or that carries an `Idempotency-Key`, after a lost connection or one of the statuses
/// 408, 425, 429, 502, 503 and 504; and only where its body can be sent again. All calls of a client share a budget, so
/// that a server in trouble is not asked four times by everyone.
///
/// [RFC 9110, 9.2.2](https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2).
public struct RetryPolicy: Sendable, Hashable {
    /// How often a call is sent again at most; the first sending is not counted.
    public var maximumRetries: Int
    /// The longest the first pause can be.
    ///
    /// Each pause is drawn anew between nothing and a limit that doubles from pause to pause.
    public var firstPause: Duration
    /// The longest any pause can be that the server did not ask for.
    public var longestPause: Duration
    /// The longest pause that is granted to a server that asks for one with `Retry-After`.
    ///
    /// Where it asks for more, the call ends at once with the answer: to come earlier than asked helps nobody.
    public var longestRetryAfter: Duration

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumRetries: How often a call is sent again at most.
    ///   - firstPause: The longest the first pause can be.
    ///   - longestPause: The longest any pause can be that the server did not ask for.
    ///   - longestRetryAfter: The longest pause that is granted to a server that asks for one.
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

    /// Three times at most.
    public static let standard = RetryPolicy()

    /// Not at all: every fault comes through at once.
    public static let never = RetryPolicy(maximumRetries: 0)

    /// The pause before a retry.
    ///
    /// Exponential backoff with full jitter: clients that failed together do not come again together.
    ///
    /// - Parameters:
    ///   - retry: Which retry it is, from zero.
    ///   - retryAfter: What the server asks for.
    ///   - chance: From zero up to one.
    /// - Returns: The pause; nil where the server asks for more than is granted.
    func pause(before retry: Int, retryAfter: Duration?, chance: Double) -> Duration? {
        var limit = firstPause
        for _ in 0..<max(0, retry) where limit < longestPause { limit *= 2 }
        let drawn = min(limit, longestPause) * min(max(0, chance), 1)
        guard let retryAfter else { return drawn }
        return retryAfter <= longestRetryAfter ? max(retryAfter, drawn) : nil
    }
}
