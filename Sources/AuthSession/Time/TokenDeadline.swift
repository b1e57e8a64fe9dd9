import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// When a token is due and when it ends, by the monotonic clock of this process.
///
/// Once it is made, nobody can make a token look younger or older by setting the wall clock.
struct TokenDeadline: Sendable {
    /// Until when it is sent without a thought.
    let freshUntil: Duration
    /// From when on it is not sent any more, where a new one can be had.
    let expiredFrom: Duration
    /// When it ends; nil where nobody said.
    let end: Duration?

    /// What is later than all.
    private static let never = Duration.seconds(1 << 40)

    /// Sets a token's deadline.
    ///
    /// - Parameters:
    ///   - lifetime: By the wall clock.
    ///   - moment: When the lifetime was true by both clocks: the start of the request that got the token, or when it
    ///     was read from the store.
    ///   - window: How long before its end the token is due.
    ///   - early: Which part of the window's jitter this token takes, from 0 to 1.
    init(_ lifetime: TokenLifetime, at moment: Moment, window: RefreshWindow, early: Double) {
        guard let expiresAt = lifetime.expiresAt else {
            (freshUntil, expiredFrom, end) = (Self.never, Self.never, nil)
            return
        }
        let total = lifetime.issuedAt.map { max(0, expiresAt.timeIntervalSince($0)) }
        var left = expiresAt.timeIntervalSince(moment.date)
        // The wall clock was set back since the token was got: it never has more left than it had.
        if let total { left = min(left, total) }
        let end = moment.uptime + .seconds(left)
        let spans = window.spans(forLifetime: total, early: early)
        self.end = end
        expiredFrom = end - .seconds(spans.expiredEarly)
        freshUntil = end - .seconds(spans.dueSoon)
    }

    /// How the token stands.
    ///
    /// - Parameter uptime: Now.
    /// - Returns: As ``TokenLifetime/freshness(at:window:)``.
    func freshness(at uptime: Duration) -> Freshness {
        if uptime >= expiredFrom { return .expired }
        return uptime >= freshUntil ? .dueSoon : .fresh
    }

    /// Whether it is over.
    func hasEnded(at uptime: Duration) -> Bool {
        end.map { $0 <= uptime } ?? false
    }

    /// Whether it lives for so much longer.
    func lives(for span: Duration, from uptime: Duration) -> Bool {
        end.map { $0 - uptime >= span } ?? true
    }
}
