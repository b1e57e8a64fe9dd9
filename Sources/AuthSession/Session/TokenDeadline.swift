// SPDX-License-Identifier: Apache-2.0

import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The times at which a token is due for a refresh and expires, by this process's monotonic clock.
///
/// Once it is created, setting the wall clock makes a token look neither younger nor older.
struct TokenDeadline: Sendable {
    /// The time until which the token is sent as it is.
    let freshUntil: Duration
    /// The time from which the token is no longer sent if a new one can be had.
    let expiredFrom: Duration
    /// The token's expiry; nil if it is unknown.
    let end: Duration?

    private static let never = Duration.seconds(1 << 40)

    /// Creates the deadline of a lifetime by the wall clock.
    ///
    /// - Parameters:
    ///   - reading: The reading of both clocks at which the lifetime was valid: the start of the token request, or the
    ///     read from the store.
    ///   - early: The part of the window's jitter that this token uses, from 0 to 1.
    init(_ lifetime: TokenLifetime, at reading: ClockReading, window: RefreshWindow, early: Double) {
        guard let expiresAt = lifetime.expiresAt else {
            (freshUntil, expiredFrom, end) = (Self.never, Self.never, nil)
            return
        }
        let total = lifetime.issuedAt.map { max(0, expiresAt.timeIntervalSince($0)) }
        var left = expiresAt.timeIntervalSince(reading.date)
        // The wall clock may have been set back since the request: the token never has more left than its lifetime.
        if let total { left = min(left, total) }
        let end = reading.uptime + .seconds(left)
        let spans = window.spans(forLifetime: total, early: early)
        self.end = end
        expiredFrom = end - .seconds(spans.earlyExpiry)
        freshUntil = end - .seconds(spans.refreshBefore)
    }

    func freshness(at uptime: Duration) -> TokenLifetime.Freshness {
        if uptime >= expiredFrom { return .expired }
        return uptime >= freshUntil ? .expiring : .fresh
    }

    func isFresh(at uptime: Duration) -> Bool { freshness(at: uptime) == .fresh }

    func hasEnded(at uptime: Duration) -> Bool { end.map { $0 <= uptime } ?? false }

    /// Returns whether the token has an expiry that is still to come.
    func isLeft(at uptime: Duration) -> Bool { end != nil && !hasEnded(at: uptime) }

    func lives(for span: Duration, from uptime: Duration) -> Bool { end.map { $0 - uptime >= span } ?? true }
}
