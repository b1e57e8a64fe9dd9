// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Foundation
import Testing

@Suite struct TokenLifetimeTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// A token of a week with a window of a day.
    @Test(
        arguments: [
            (604_800, 0, .fresh), (604_800, 518_399, .fresh), (604_800, 518_400, .expiring),
            (604_800, 604_799, .expiring),
            (604_800, 604_800, .expired), (604_800, 604_801, .expired), (604_800, -60, .fresh),
        ] as [(Int, Int, TokenLifetime.Freshness)]
    )
    func `a long-lived token is expiring in its last day and then expired`(
        life: Int,
        age: Int,
        expected: TokenLifetime.Freshness
    ) {
        let lifetime = TokenLifetime(expiresIn: life, from: Self.start)
        #expect(lifetime.freshness(at: Self.start + Double(age), window: .longLivedToken) == expected)
    }

    @Test(
        arguments: [(3_600, 3_539, .fresh), (3_600, 3_540, .expired), (3_600, 3_600, .expired)]
            as [(Int, Int, TokenLifetime.Freshness)]
    )
    func `a short-lived token counts as expired a minute early`(life: Int, age: Int, expected: TokenLifetime.Freshness)
    {
        let lifetime = TokenLifetime(expiresIn: life, from: Self.start)
        #expect(lifetime.freshness(at: Self.start + Double(age), window: .shortLivedToken) == expected)
    }

    @Test(
        arguments: [
            (.longLivedToken, 300, 269, .fresh), (.longLivedToken, 300, 270, .expiring),
            (.longLivedToken, 300, 300, .expired),
            (.shortLivedToken, 100, 89, .fresh), (.shortLivedToken, 100, 90, .expired),
            (.shortLivedToken, 300, 269, .fresh), (.shortLivedToken, 300, 270, .expired),
            (.shortLivedToken, 400, 349, .fresh), (.shortLivedToken, 400, 350, .expired),
            (.shortLivedToken, 450, 389, .fresh), (.shortLivedToken, 450, 390, .expired),
            (RefreshWindow(refreshBefore: .seconds(60), earlyExpiry: .seconds(60)), 100, 80, .expired),
        ] as [(RefreshWindow, Int, Int, TokenLifetime.Freshness)]
    )
    func `a window is at most a fifth of the lifetime and leaves room for jitter`(
        window: RefreshWindow,
        life: Int,
        age: Int,
        expected: TokenLifetime.Freshness
    ) {
        let lifetime = TokenLifetime(expiresIn: life, from: Self.start)
        #expect(lifetime.freshness(at: Self.start + Double(age), window: window) == expected)
    }

    /// The moment varies for any lifetime: otherwise a million installations would refresh in the same second, each
    /// before it may send.
    @Test(
        arguments: [
            (.shortLivedToken, 2, 0.2, 0.4), (.shortLivedToken, 300, 30, 60), (.shortLivedToken, 400, 50, 80),
            (.shortLivedToken, 450, 60, 90), (.shortLivedToken, 3_600, 60, 90), (.longLivedToken, 300, 30, 60),
            (.longLivedToken, 604_800, 86_400, 108_000),
        ] as [(RefreshWindow, Double, Double, Double)]
    )
    func `each token is due at its own time within the window`(
        window: RefreshWindow,
        life: Double,
        latest: Double,
        soonest: Double
    ) {
        #expect(abs(window.spans(forLifetime: life, early: 0).refreshBefore - latest) < 1e-9)
        #expect(abs(window.spans(forLifetime: life, early: 1).refreshBefore - soonest) < 1e-9)
        let middle = window.spans(forLifetime: life, early: 0.5)
        #expect(abs(middle.refreshBefore - (latest + soonest) / 2) < 1e-9)
        #expect(middle.earlyExpiry < middle.refreshBefore)
    }

    @Test func `a negative window does not extend a token's lifetime`() {
        let window = RefreshWindow(refreshBefore: .seconds(-3_600), earlyExpiry: .seconds(-3_600))
        let lifetime = TokenLifetime(expiresIn: 600, from: Self.start)
        #expect(lifetime.freshness(at: Self.start + 599, window: window) == .fresh)
        #expect(lifetime.freshness(at: Self.start + 600, window: window) == .expired)
    }

    @Test func `the whole window applies if the time of issue is unknown`() {
        let lifetime = TokenLifetime(issuedAt: nil, expiresAt: Self.start)
        #expect(lifetime.freshness(at: Self.start - 86_401, window: .longLivedToken) == .fresh)
        #expect(lifetime.freshness(at: Self.start - 86_400, window: .longLivedToken) == .expiring)
        #expect(lifetime.freshness(at: Self.start, window: .longLivedToken) == .expired)
    }

    @Test func `a token without an expiry is always fresh`() {
        let lifetime = TokenLifetime(expiresIn: nil, from: Self.start)
        #expect(lifetime.expiresAt == nil)
        #expect(lifetime.freshness(at: .distantFuture, window: .longLivedToken) == .fresh)
        #expect(lifetime.freshness(at: .distantFuture, window: .shortLivedToken) == .fresh)
    }

    @Test(arguments: [0, -1, Int.min])
    func `a token with a lifetime of zero or less is expired at once`(seconds: Int) {
        let lifetime = TokenLifetime(expiresIn: seconds, from: Self.start)
        #expect(lifetime.expiresAt == Self.start)
        #expect(lifetime.freshness(at: Self.start, window: .longLivedToken) == .expired)
    }

    @Test func `a token that expires before its time of issue is expired`() {
        let lifetime = TokenLifetime(issuedAt: Self.start, expiresAt: Self.start - 10)
        #expect(lifetime.freshness(at: Self.start, window: .longLivedToken) == .expired)
    }

    @Test func `the largest lifetime does not overflow`() {
        let lifetime = TokenLifetime(expiresIn: .max, from: Self.start)
        #expect(lifetime.freshness(at: Self.start, window: .longLivedToken) == .fresh)
    }

    /// A new token lives as long as its claims say, whatever the device's clock says.
    @Test(arguments: [-840, 0, 840, 31_536_000])
    func `a new token's lifetime counts from the request, not from its dates`(ahead: Int) throws {
        let iat = Int(Self.start.timeIntervalSince1970)
        let claims = try UnverifiedJWT(CompactJWT.make(payload: #"{"iat":\#(iat),"exp":\#(iat + 600)}"#)).claims
        let sent = Self.start + Double(ahead)
        #expect(TokenLifetime(claims: claims, from: sent) == TokenLifetime(expiresIn: 600, from: sent))
    }

    @Test(
        arguments: [
            (#"{"exp":1800000600}"#, Date(timeIntervalSince1970: 1_800_000_600)), (#"{"iat":1800000000}"#, nil),
            ("{}", nil), (#"{"iat":1800000000,"exp":5}"#, Date(timeIntervalSince1970: 1_800_000_000)),
        ] as [(String, Date?)]
    )
    func `a new token without a valid lifetime expires at exp, never or at once`(payload: String, end: Date?) throws {
        let claims = try UnverifiedJWT(CompactJWT.make(payload: payload)).claims
        #expect(TokenLifetime(claims: claims, from: Self.start) == TokenLifetime(issuedAt: Self.start, expiresAt: end))
    }

    @Test func `a duration is converted to seconds with fractions`() {
        #expect(Duration.milliseconds(1_500).timeInterval == 1.5)
        #expect(Duration.seconds(-2).timeInterval == -2)
    }
}
