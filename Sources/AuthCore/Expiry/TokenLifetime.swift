// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The times of a token's issue and end, by this device's clock.
public struct TokenLifetime: Sendable, Hashable {
    /// The moment when the request for the token was sent, or the token's `iat`; nil if neither is known.
    public let issuedAt: Date?
    /// The moment when the token ends; nil if neither the server nor the token says.
    public let expiresAt: Date?
    /// The time of ``issuedAt`` by the clock of the machine's start; nil if it is unknown.
    package var issuedAtBoot: BootTime?

    /// Creates a lifetime from two moments.
    ///
    /// - Parameters:
    ///   - issuedAt: The moment when the request for the token was sent, or the token's `iat`.
    ///   - expiresAt: The moment when the token ends.
    public init(issuedAt: Date?, expiresAt: Date?) {
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Creates a lifetime from a response's `expires_in`.
    ///
    /// The lifetime counts from the start of the request, so that a slow response never makes a token look younger than
    /// it is. [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1).
    ///
    /// - Parameters:
    ///   - expiresIn: The server's value in seconds; nil if it is missing. A negative value counts as zero, more than a
    ///     century as a century.
    ///   - requestStart: The moment when the request was sent.
    public init(expiresIn: Int?, from requestStart: Date) {
        self.init(seconds: expiresIn.map(Double.init), from: requestStart)
    }

    init(seconds: Double?, from requestStart: Date) {
        issuedAt = requestStart
        expiresAt = seconds.map { requestStart.addingTimeInterval(min(max(0, $0), Self.longest)) }
    }

    /// A century, in seconds; a longer lifetime would break the date arithmetic.
    private static let longest = 3_155_760_000.0

    /// Returns the token's freshness at a moment.
    ///
    /// - Parameters:
    ///   - now: The moment, by the same clock as the lifetime's.
    ///   - window: The time before the end in which the token is due, and in which it counts as expired.
    /// - Returns: `expired` within the window's `earlyExpiry` of the end, `expiring` within its
    ///   `refreshBefore` of it, without jitter, else `fresh`. If ``issuedAt`` is known, the window is
    ///   at most a fifth of the lifetime. Always `fresh` if ``expiresAt`` is nil: the token is then refreshed only
    ///   after the server refuses it.
    public func freshness(at now: Date, window: RefreshWindow) -> Freshness {
        guard let expiresAt else { return .fresh }
        let total = issuedAt.map { expiresAt.timeIntervalSince($0) }
        let left = expiresAt.timeIntervalSince(now)
        let spans = window.spans(forLifetime: total, early: 0)
        if left <= spans.earlyExpiry { return .expired }
        if left <= spans.refreshBefore { return .expiring }
        return .fresh
    }
}

extension TokenLifetime {
    /// The states of a token in relation to its end.
    public enum Freshness: Sendable, Hashable {
        /// The token can be sent.
        case fresh
        /// The token can be sent, and is to be refreshed in the background.
        case expiring
        /// The token must be refreshed before the next request.
        case expired
    }
}
