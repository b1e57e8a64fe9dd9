/// How long before its end a token is renewed.
///
/// Neither span is longer than a fifth of the token's lifetime, where its beginning is known, so that a token that
/// lives five minutes under a window of a day is not "always due"; and where that leaves the jitter no room, half of the
/// fifth is given to it. A negative span counts as none.
public struct RefreshWindow: Sendable, Hashable {
    /// Within this long of its end the token is renewed in the background while it is still sent.
    public let dueSoon: Duration
    /// Up to this much sooner it is due, by chance: so that many installs that got their tokens at the same moment do
    /// not renew them at the same moment.
    public let jitter: Duration
    /// Within this long of its end the token counts as ended and is not sent.
    public let expiredEarly: Duration

    /// The largest part of a token's lifetime that a window may take.
    private static let largestPart = 0.2

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - dueSoon: Renew in the background this long before the end; at most a fifth of the lifetime is taken.
    ///   - jitter: And up to this much sooner, by chance.
    ///   - expiredEarly: Renew before sending this long before the end; at most a fifth of the lifetime less the jitter
    ///     is taken, or a tenth where that is more.
    public init(dueSoon: Duration, jitter: Duration = .zero, expiredEarly: Duration) {
        self.dueSoon = dueSoon
        self.jitter = jitter
        self.expiredEarly = expiredEarly
    }

    /// For a session token that lives for weeks: due a day to thirty hours before its end, and sent until it.
    public static let longLivedToken = RefreshWindow(
        dueSoon: .seconds(86_400),
        jitter: .seconds(21_600),
        expiredEarly: .zero
    )

    /// For an access token that lives for minutes: ended 60 seconds early, and due up to half a minute before that.
    public static let shortLivedToken = RefreshWindow(
        dueSoon: .seconds(60),
        jitter: .seconds(30),
        expiredEarly: .seconds(60)
    )

    /// The spans for one token, in seconds.
    ///
    /// - Parameters:
    ///   - lifetime: How long the token lives in all, in seconds; nil where that is not known.
    ///   - early: Which part of the jitter it takes, from 0 to 1.
    /// - Returns: Spans before its end.
    package func spans(forLifetime lifetime: Double?, early: Double) -> (dueSoon: Double, expiredEarly: Double) {
        // A negative span would keep a token beyond its end.
        let due = max(0, dueSoon.timeInterval)
        let spread = max(0, jitter.timeInterval)
        let largest = lifetime.map { max(0, $0) * Self.largestPart } ?? .infinity
        let expired = min(max(0, expiredEarly.timeInterval), max(largest / 2, largest - spread))
        let soonest = min(due + spread, largest)
        // Not before it has ended, so that a short-lived token is spread as well, and renewed beside what is sent.
        let latest = min(due, max(expired, soonest - spread, soonest / 2))
        return (latest + (soonest - latest) * min(max(0, early), 1), expired)
    }
}

extension Duration {
    /// This span in seconds, as `Date` counts.
    package var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
