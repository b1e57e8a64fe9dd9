// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Testing

@testable import AuthSession

/// The contract `sessionToken`: the server refuses a refresh while the token is valid.
///
/// Only the check decides whether the session continues.
@Suite struct RefusedWhileValidTests {
    /// Returns a session whose token is due for a refresh that the server refuses.
    private func refused() async throws -> Fixture {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 + 3_600))
        fixture.backend.on(Backend.tokenRefresh) { _ in Backend.failure(401, code: "invalid_token") }
        return fixture
    }

    @Test func `a rejected refresh changes nothing if validation confirms the session`() async throws {
        let fixture = try await refused()
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(1))
        let flight = try #require(await fixture.session.flight)
        let error = try await sessionError { try await flight.value() }
        #expect(error.code == .refreshRefused)
        #expect(error.description == "The server refused the refresh (invalid_token), and the session stays.")
        #expect(fixture.session.state == fixture.signedInState)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == Backend.jwt(1))
        #expect(try await fixture.storedRecord().refreshBegunAt == nil)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(1))
    }

    @Test func `a rejected refresh changes nothing in the validation that sent it`() async throws {
        let fixture = try await refused()
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: [500, 408]) func `a rejected refresh changes nothing if the server can't validate the session`(
        status: Int
    ) async throws {
        let fixture = try await refused()
        fixture.backend.on(Backend.validate) { _ in .json("{}", status: status) }
        #expect(await code { try await fixture.session.refresh() } == .refreshRefused)
        #expect(try await fixture.stored() != nil)
        #expect(try await fixture.session.accessToken().unredacted == Backend.jwt(1))
    }

    @Test func `a rejected refresh changes nothing if validation rejects the API key`() async throws {
        let fixture = try await refused()
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "invalid_api_key") }
        #expect(await code { try await fixture.session.refresh() } == .refreshRefused)
        #expect(try await fixture.stored() != nil)
    }

    @Test(arguments: ["session_ended", "token_expired"])
    func `a rejected refresh ends the session if validation rejects the token too`(refusal: String) async throws {
        let fixture = try await refused()
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: refusal) }
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
    }

    /// The device's clock is behind: by the server's clock the token has expired and can't be exchanged any more.
    @Test func `a token that has expired only by the server's clock ends the session if it can't be exchanged`()
        async throws
    {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in Backend.failure(401, code: "token_expired") }
        fixture.backend.on(Backend.tokenRefresh) { _ in Backend.failure(401, code: "token_expired") }
        #expect(await fixture.session.validate() == .signedOut(.endedByServer))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a token that an API rejected is validated if its refresh is rejected`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.tokenRefresh) { _ in Backend.failure(401, code: "invalid_token") }
        let token = try await fixture.session.accessToken()
        #expect(await code { try await fixture.session.credential(insteadOf: token).accessToken } == .refreshRefused)
        #expect(fixture.transport.count(of: Backend.validate) == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }
}
