#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// When a token was got and when it ends, by this device's clock.
public struct TokenLifetime: Sendable, Hashable {
    /// When the request that got the token was sent, or what its `iat` says; nil where neither is known.
    public let issuedAt: Date?
    /// When the token ends; nil where neither the server nor the token said.
    public let expiresAt: Date?

    /// Makes a lifetime from two moments.
    ///
    /// - Parameters:
    ///   - issuedAt: When the request that got the token was sent, or the token's `iat`.
    ///   - expiresAt: When the token ends.
    public init(issuedAt: Date?, expiresAt: Date?) {
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Makes a lifetime from an answer's `expires_in`.
    ///
    /// Counted from the start of the request, so that a slow answer never makes a token look younger than it is.
    /// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    ///
    /// - Parameters:
    ///   - expiresIn: Seconds, as the server said; nil where it did not. Negative counts as zero, more than a century
    ///     as a century.
    ///   - requestStart: When the request was sent.
    public init(expiresIn: Int?, from requestStart: Date) {
        self.init(seconds: expiresIn.map(Double.init), from: requestStart)
    }

    /// Makes the lifetime of a token that the server has just issued, from what the token says itself.
    ///
    /// Its span is taken, from `iat` to `exp`, and not its dates: so this device's clock may be wrong. Without `iat`
    /// the end is taken as it stands, by the server's clock.
    ///
    /// - Parameters:
    ///   - claims: The new token's. Unverified.
    ///   - requestStart: When the request that got the token was sent.
    ///   - offset: How far the server's clock is ahead of this device's, as the answer's `Date` tells.
    public init(claims: UnverifiedClaims, from requestStart: Date, offset: ClockOffset = .zero) {
        if let begin = claims.issuedAt, let end = claims.expiration {
            self.init(seconds: end.timeIntervalSince(begin).rounded(.down), from: requestStart)
        } else {
            self.init(issuedAt: requestStart, expiresAt: claims.expiration.map(offset.deviceTime(of:)))
        }
    }

    private init(seconds: Double?, from requestStart: Date) {
        issuedAt = requestStart
        expiresAt = seconds.map { requestStart.addingTimeInterval(min(max(0, $0), Self.longest)) }
    }

    /// A century, in seconds: what is longer is no lifetime, and would break the arithmetic of dates.
    private static let longest = 3_155_760_000.0

    /// How the token stands at a moment.
    ///
    /// - Parameters:
    ///   - now: The moment, by the same clock as the lifetime's.
    ///   - window: How long before its end the token is due, and counts as ended.
    /// - Returns: `expired` within ``RefreshWindow/expiredEarly`` of the end, `dueSoon` within
    ///   ``RefreshWindow/dueSoon`` of it, without jitter, else `fresh`. Both are shorter for a token that lives a short
    ///   time, where its beginning is known: a fifth of it is the whole window. Always `fresh` where no end is known:
    ///   such a token is renewed only when the server refuses it.
    public func freshness(at now: Date, window: RefreshWindow) -> Freshness {
        guard let expiresAt else { return .fresh }
        let total = issuedAt.map { expiresAt.timeIntervalSince($0) }
        let left = expiresAt.timeIntervalSince(now)
        let spans = window.spans(forLifetime: total, early: 0)
        if left <= spans.expiredEarly { return .expired }
        if left <= spans.dueSoon { return .dueSoon }
        return .fresh
    }
}

/// How a token stands.
public enum Freshness: Sendable, Hashable {
    /// Send it.
    case fresh
    /// Send it, and get a new one beside.
    case dueSoon
    /// Get a new one first.
    case expired
}
