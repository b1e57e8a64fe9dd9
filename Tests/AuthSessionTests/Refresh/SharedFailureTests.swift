// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import SecureStore
import Testing

@testable import AuthSession

/// Cases 10 and 11: failures are shared and remembered, and retries are limited.
@Suite struct SharedFailureTests {
    @Test func `case 10: fifty callers of a failing refresh share one attempt and one error`() async throws {
        let fixture = try await Fixture.expired()
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return .json("{}", status: 503)
        }
        let codes = await withTaskGroup(of: AuthSessionError.Code?.self) { group in
            for _ in 0..<50 { group.addTask { await code { try await fixture.session.accessToken() } } }
            await gate.waitForArrival()
            for _ in 0..<100 { await Task.yield() }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .unreachable, count: 50))
        #expect(fixture.refreshes == 1)
    }

    @Test func `case 10: a failure is remembered for a time that doubles, and is then retried`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        for (attempt, pause) in [1, 2, 4, 8, 16, 30, 30].enumerated() {
            for _ in 0..<50 { #expect(await code { try await fixture.session.accessToken() } == .unreachable) }
            #expect(fixture.refreshes == attempt + 1)
            fixture.clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(await code { try await fixture.session.accessToken() } == .unreachable)
            #expect(fixture.refreshes == attempt + 1)
            fixture.clock.advance(by: .milliseconds(1))
        }
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `a success resets the backoff of earlier failures`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        for _ in 0..<3 {
            _ = await code { try await fixture.session.accessToken() }
            fixture.clock.advance(by: .seconds(30))
        }
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
        fixture.clock.advance(by: .seconds(900))
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        fixture.clock.advance(by: .seconds(1))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(3) }
        #expect(try await fixture.session.accessToken().unredacted == "access-3")
    }

    @Test func `Retry-After is respected up to five minutes`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json("{}", status: 429, headers: [.retryAfter: "86400"])
        }
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        fixture.clock.advance(by: .seconds(299))
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        #expect(fixture.refreshes == 1)
        fixture.clock.advance(by: .seconds(1))
        _ = await code { try await fixture.session.accessToken() }
        #expect(fixture.refreshes == 2)
    }

    @Test func `an explicit refresh ignores the remembered failure`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        try await fixture.session.refresh()
        #expect(try await fixture.session.accessToken().unredacted == "access-2")
    }

    @Test func `a new sign-in does not inherit the failure of the session before it`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        #expect(await code { try await fixture.session.accessToken() } == .unreachable)
        try await fixture.signIn()
        fixture.clock.advance(by: .milliseconds(1))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
        let token = try await fixture.session.accessToken()
        #expect(try await fixture.session.credential(insteadOf: token).accessToken.unredacted == "access-2")
    }

    @Test func `case 11: a server that issues expired tokens gets at most sixty refreshes a minute`() async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": "dead", "refreshToken": "r", "tokenType": "Bearer", "expiresIn": 0}"#)
        }
        for _ in 0..<60 { #expect(try await fixture.session.accessToken().unredacted == "dead") }
        #expect(await code { try await fixture.session.accessToken() } == .tooManyRefreshes)
        #expect(fixture.refreshes == 60)
        #expect(fixture.session.state == fixture.signedInState)
        fixture.clock.advance(by: .seconds(60))
        #expect(try await fixture.session.accessToken().unredacted == "dead")
        #expect(fixture.refreshes == 61)
    }
}
