// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// A check after another process has changed the session.
@Suite(.timeLimit(.minutes(5)))
struct SharedStoreValidationTests {
    @Test func `validation adopts a sign-out in another process without a request`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        await other.signOut()
        #expect(await fixture.session.validate() == .signedOut(.signedOutElsewhere))
        #expect(fixture.transport.count(of: Backend.validate) == 0)
    }

    @Test func `validation sends the tokens that another process has refreshed`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        try await other.refresh()
        await fixture.session.validate()
        let token = try await other.accessToken().unredacted
        #expect(fixture.transport.requests.last?.header("Authorization") == "Bearer \(token)")
        #expect(try await fixture.session.accessToken().unredacted == token)
    }

    @Test func `a session that the server ended is not reported as signed out elsewhere during its removal`()
        async throws
    {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in .json("{}", status: 401) }
        let gate = Gate()
        fixture.store.holdRemovals(at: gate)
        let refresh = Task { try await fixture.session.refresh() }
        await gate.waitForArrival()
        #expect(try await fixture.stored() == nil)
        // The check reads the store and joins the refresh.
        let check = Task { await fixture.session.validate() }
        await settle()
        #expect(fixture.session.state == fixture.signedInState)
        gate.open()
        #expect(await check.value == .signedOut(.endedByServer))
        await #expect(throws: AuthSessionError(.sessionEnded)) { try await refresh.value }
        #expect(fixture.session.state == .signedOut(.endedByServer))
    }

    @Test func `validation asks the server and keeps the user signed in if the store can't be read`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(fixture.transport.count(of: Backend.validate) == 1)
    }
}
