// SPDX-License-Identifier: Apache-2.0

/// The time before a token's end in which it is refreshed.
///
/// If the token's lifetime is known, each span is limited to a fifth of it. Otherwise a token that lives five minutes
/// would always be due under a window of a day. Within that fifth, early expiry leaves the jitter the room that it
/// needs, at most half of the fifth. A negative span counts as zero.
public struct RefreshWindow: Sendable, Hashable {
    private let refreshBefore: Duration
    private let jitter: Duration
    private let earlyExpiry: Duration

    /// The largest part of a token's lifetime that a window may take.
    private static let largestPart = 0.2

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - refreshBefore: The time before the end from which the token is refreshed in the background while it is still
    ///     sent; at most a fifth of the lifetime.
    ///   - jitter: The most by which the refresh starts earlier, at random: many installs that got their tokens at the
    ///     same moment then refresh at different moments.
    ///   - earlyExpiry: The time before the end from which the token counts as expired and is not sent; at most a fifth
    ///     of the lifetime less the jitter, or a tenth of the lifetime if that is more.
    public init(refreshBefore: Duration, jitter: Duration = .zero, earlyExpiry: Duration) {
        self.refreshBefore = refreshBefore
        self.jitter = jitter
        self.earlyExpiry = earlyExpiry
    }

    /// The window for a session token that lives for weeks.
    ///
    /// The token is due 24 to 30 hours before its end, and sent until its end.
    public static let longLivedToken = RefreshWindow(
        refreshBefore: .seconds(86_400),
        jitter: .seconds(21_600),
        earlyExpiry: .zero
    )

    /// The window for an access token that lives for minutes.
    ///
    /// The token counts as expired 60 seconds early, and is due up to 30 seconds before that.
    public static let shortLivedToken = RefreshWindow(
        refreshBefore: .seconds(60),
        jitter: .seconds(30),
        earlyExpiry: .seconds(60)
    )

    /// Returns the spans for one token, in seconds.
    ///
    /// - Parameters:
    ///   - lifetime: The token's whole lifetime, in seconds; nil if unknown.
    ///   - early: The fraction of the jitter to apply, from 0 to 1.
    /// - Returns: The spans before the token's end.
    package func spans(forLifetime lifetime: Double?, early: Double) -> (refreshBefore: Double, earlyExpiry: Double) {
        // A negative span would keep a token beyond its end.
        let due = max(0, refreshBefore.timeInterval)
        let spread = max(0, jitter.timeInterval)
        let largest = lifetime.map { max(0, $0) * Self.largestPart } ?? .infinity
        let expired = min(max(0, earlyExpiry.timeInterval), max(largest / 2, largest - spread))
        let soonest = min(due + spread, largest)
        // Never after the token counts as expired, so that the jitter also spreads a short-lived token's refresh and
        // the refresh runs while the token is still sent.
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
