// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

/// Cases 14, 15 and 26: clocks and lifetimes.
@Suite struct RefreshClockTests {
    @Test(arguments: [-86_400, -600, 600, 86_400])
    func `case 26: a wall clock step does not affect a token while the process lives`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.stepDate(by: .seconds(seconds))
        #expect(try await fixture.session.accessToken().unredacted == "access-1")
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-1")
        #expect(fixture.refreshes == 0)
        fixture.clock.advance(by: .seconds(840))
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    @Test(arguments: [-600, 600]) func `case 26: a wall clock step during a refresh does not age the new token`(
        seconds: Int
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [clock = fixture.clock] _ in
            clock.stepDate(by: .seconds(seconds))
            return Backend.pair(2)
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(try await fixture.session.accessToken(validFor: .seconds(900)).unredacted == "access-2")
        #expect(fixture.refreshes == 1)
    }

    /// The device's clock is ten years fast or slow, and stays so or is set while the response is on its way.
    @Test(
        arguments: [
            (315_576_000.0, "Sat, 14 Jan 2017 20:00:00 GMT"), (-315_576_000, "Wed, 14 Jan 2037 20:00:00 GMT"),
        ],
        [false, true]
    )
    func `case 14: a token with only an expiry date expires by the server's clock in the Date header`(
        skew: (ahead: Double, field: String),
        isSet: Bool
    ) async throws {
        let fixture = try Fixture(.sessionToken)
        let start = fixture.clock.date
        let end = start.timeIntervalSince1970 - skew.ahead + 604_800
        fixture.backend.on(Backend.apple) { [clock = fixture.clock] _ in
            if isSet { clock.stepDate(by: .seconds(-skew.ahead)) }
            let token = Backend.jwt(#"{"exp":\#(Int(end))}"#)
            return .json(
                #"{"success": true, "token": "\#(token)", "user": \#(Backend.user)}"#,
                headers: [.date: skew.field]
            )
        }
        try await fixture.signIn()
        let expiresAt = try #require(fixture.session.accessTokenLifetime?.expiresAt)
        #expect(abs(expiresAt.timeIntervalSince(start) - 604_800) <= 1)
        _ = try await fixture.session.accessToken()
        #expect(await fixture.session.flight == nil)
        fixture.clock.advance(by: .seconds(604_800))
        _ = try await fixture.session.accessToken()
        #expect(fixture.transport.count(of: Backend.tokenRefresh) == 1)
    }

    @Test func `case 14: a lifetime counts from the start of its request, even if the response is slow`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { [clock = fixture.clock] _ in
            clock.advance(by: .seconds(20))
            return Backend.pair(2)
        }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        #expect(await code { try await fixture.session.accessToken(validFor: .seconds(900)) } == .lifetimeTooShort)
    }

    @Test func `case 14: a token does not gain lifetime if the clock is set back before a launch`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.clock.stepDate(by: .seconds(-86_400))
        let next = try fixture.otherProcess()
        #expect(try await next.accessToken().unredacted == "access-1")
        fixture.clock.advance(by: .seconds(840))
        #expect(try await next.accessToken().unredacted == "access-2")
    }

    @Test func `case 14: a token with a lifetime shorter than the window is not refreshed at every call`() async throws
    {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": "brief", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 30}"#)
        }
        for _ in 0..<10 { #expect(try await fixture.session.accessToken().unredacted == "brief") }
        fixture.clock.advance(by: .seconds(26))
        #expect(try await fixture.session.accessToken().unredacted == "brief")
        #expect(fixture.refreshes == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = try await fixture.session.accessToken()
        #expect(fixture.refreshes == 2)
    }

    @Test func `case 15: a token without an expiry date is refreshed only if a server rejects it`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": "endless", "refreshToken": "r", "tokenType": "Bearer"}"#)
        }
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(400 * 86_400))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.refreshes == 1)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3) }
        #expect(try await fixture.session.credential(insteadOf: token).accessToken.unredacted == "access-3")
    }

    @Test func `the jitter makes a token due earlier, and never later`() {
        let reading = ClockReading(date: TestClock().date, uptime: .zero)
        let lifetime = TokenLifetime(expiresIn: 900, from: reading.date)
        func freshFor(_ early: Double) -> Duration {
            TokenDeadline(lifetime, at: reading, window: .shortLivedToken, early: early).freshUntil
        }
        #expect(freshFor(0) == .seconds(840))
        #expect(freshFor(0.5) == .seconds(825))
        #expect(freshFor(1) == .seconds(810))
        let brief = TokenLifetime(expiresIn: 100, from: reading.date)
        let deadline = TokenDeadline(brief, at: reading, window: .shortLivedToken, early: 1)
        #expect(deadline.freshUntil == .seconds(80) && deadline.expiredFrom == .seconds(90))
    }
}
