/// How long before its end a token is renewed.
///
/// Neither span is longer than a fifth of the token's lifetime, where its beginning is known, so that a token that
/// lives five minutes under a window of a day is not "always due". A negative span counts as none.
public struct RefreshWindow: Sendable, Hashable {
    /// Within this long of its end the token is renewed in the background while it is still sent.
    public let dueSoon: Duration
    /// Within this long of its end the token counts as ended and is not sent.
    public let expiredEarly: Duration

    /// The largest part of a token's lifetime that a window may take.
    private static let largestPart = 0.2

    /// Makes a window.
    ///
    /// - Parameters:
    ///   - dueSoon: Renew in the background this long before the end; at most a fifth of the lifetime is taken.
    ///   - expiredEarly: Renew before sending this long before the end; at most a fifth of the lifetime is taken.
    public init(dueSoon: Duration, expiredEarly: Duration) {
        self.dueSoon = dueSoon
        self.expiredEarly = expiredEarly
    }

    /// For a session token that lives for weeks: due a day before its end, and sent until it.
    public static let longLivedToken = RefreshWindow(dueSoon: .seconds(86_400), expiredEarly: .zero)

    /// For an access token that lives for minutes: ended 60 seconds early, and so never due soon.
    public static let shortLivedToken = RefreshWindow(dueSoon: .seconds(60), expiredEarly: .seconds(60))

    func clamped(_ span: Duration, toLifetime lifetime: Double?) -> Double {
        // A negative span would keep a token beyond its end.
        let span = max(0, span.timeInterval)
        guard let lifetime else { return span }
        return min(span, max(0, lifetime) * Self.largestPart)
    }
}

extension Duration {
    /// This span in seconds, as `Date` counts.
    package var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
