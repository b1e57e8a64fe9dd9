// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

/// A stored pair of tokens without a refresh token, which ends with its access token.
@Suite(.timeLimit(.minutes(5)))
struct MissingRefreshTokenTests {
    /// Returns a session that was restored from the store, at a backend that refuses every call.
    private func restored() async throws -> Fixture {
        let fixture = try Fixture()
        try await fixture.put(Fixture.record(#""accessToken":"a-1","expiresAt":1800000900"#))
        fixture.backend.on("/api/jobs") { _ in Backend.failure(401, code: "token_expired") }
        await fixture.session.restore(validating: false)
        return fixture
    }

    private func call(_ fixture: Fixture) async throws -> [Int] {
        try await APIClient(authenticatedBy: fixture.session, transport: fixture.transport).send(.get("/api/jobs"))
    }

    @Test func `the access token is used until it expires, and no refresh is sent`() async throws {
        let fixture = try await restored()
        #expect(try await fixture.session.accessToken().unredacted == "a-1")
        #expect(await !fixture.session.canRefresh)
        #expect(await code { try await call(fixture) } == .noRefreshToken)
        #expect(await code { try await fixture.session.refresh() } == .noRefreshToken)
        #expect(fixture.session.state == .signedIn(nil, .online))
        #expect(try await fixture.stored() != nil)
        #expect(fixture.refreshes == 0)
    }

    @Test func `the session ends if the expired token is unauthorized, and the user has to sign in`() async throws {
        let fixture = try await restored()
        fixture.clock.advance(by: .seconds(900))
        #expect(await fixture.session.validate() == .signedIn(nil, .online))
        #expect(await code { try await call(fixture) } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.expired))
        #expect(try await fixture.stored() == nil)
        #expect(fixture.refreshes == 0)
    }
}
