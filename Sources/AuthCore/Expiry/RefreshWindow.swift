/// How long before its end a token is renewed.
///
/// Neither span is longer than a fifth of the token's lifetime, where its beginning is known, so that a token that
/// lives five minutes under a window of a day is not "always due". A negative span counts as none.
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
    ///   - expiredEarly: Renew before sending this long before the end; at most a fifth of the lifetime is taken.
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
        let sooner = max(0, jitter.timeInterval) * min(max(0, early), 1)
        return (
            clamped(max(0, dueSoon.timeInterval) + sooner, toLifetime: lifetime),
            clamped(expiredEarly.timeInterval, toLifetime: lifetime)
        )
    }

    private func clamped(_ span: Double, toLifetime lifetime: Double?) -> Double {
        // A negative span would keep a token beyond its end.
        guard let lifetime else { return max(0, span) }
        return min(max(0, span), max(0, lifetime) * Self.largestPart)
    }
}

extension Duration {
    /// This span in seconds, as `Date` counts.
    package var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
