// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import Testing

@testable import AuthSession

/// A session that is shown at once while the server is asked in the background.
@Suite(.timeLimit(.minutes(5)))
struct RestoreValidationTests {
    /// The server's final response.
    enum Verdict: CaseIterable {
        case unavailable
        case ended
        case renamed

        var response: TransportResponse {
            switch self {
            case .unavailable: .json("{}", status: 503)
            case .ended: Backend.failure(401, code: "session_ended")
            case .renamed: .json(#"{"success": true, "user": {"id": "u1", "name": "Ada King"}}"#)
            }
        }

        func state(_ fixture: Fixture) -> SessionState {
            switch self {
            case .unavailable: .signedIn(fixture.user, .offline(since: fixture.clock.date))
            case .ended: .signedOut(.endedByServer)
            case .renamed: .signedIn(SessionUser(id: "u1", name: "Ada King"), .online)
            }
        }
    }

    private func validations(_ fixture: Fixture) -> Int { fixture.transport.count(of: Backend.validate) }

    @Test(arguments: Verdict.allCases)
    func `a restore shows the stored session at once and publishes the server's response when it arrives`(
        verdict: Verdict
    ) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        let gate = Gate()
        fixture.backend.on(Backend.validate) { _ in
            await gate.pass()
            return verdict.response
        }
        await other.restore()
        #expect(other.state == fixture.signedInState)
        await gate.waitForArrival()
        #expect(other.state == fixture.signedInState)
        gate.open()
        for await state in other.states where state != fixture.signedInState { break }
        #expect(other.state == verdict.state(fixture))
        let isStored = try await fixture.stored() != nil
        #expect(isStored == (verdict != .ended))
    }

    @Test func `a restore without validation leaves the validation to the next restore, which sends it once`()
        async throws
    {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        await settle()
        #expect(validations(fixture) == 0)
        await other.restore()
        while validations(fixture) == 0 { await Task.yield() }
        await other.restore()
        await settle()
        #expect(validations(fixture) == 1)
    }

    @Test func `a restore refreshes a token in its last day, without a caller`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 + 1))
        let other = try fixture.otherProcess()
        await other.restore()
        #expect(other.state == fixture.signedInState)
        while await other.inMemoryTokens?.accessToken.unredacted != Backend.jwt(2) { await Task.yield() }
        #expect(fixture.refreshes == 1)
        #expect(try await fixture.storedRecord().tokens.accessToken.unredacted == Backend.jwt(2))
    }

    @Test func `a restore does not refresh a token before its last day`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.clock.advance(by: .seconds(29 * 86_400 - 1))
        let other = try fixture.otherProcess()
        await other.restore()
        while validations(fixture) == 0 { await Task.yield() }
        await settle()
        #expect(fixture.refreshes == 0)
    }

    @Test func `a cancelled restore leaves the state at restoring and can be repeated`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        let asked = Event()
        fixture.store.faults.delayCalls {
            asked.happen()
            try await waitForCancellation()
        }
        let restore = Task { await other.restore() }
        await asked.wait()
        restore.cancel()
        await restore.value
        await settle()
        #expect(other.state == .restoring)
        #expect(validations(fixture) == 0)
        fixture.store.faults.delayCalls(nil)
        await other.restore()
        #expect(other.state == fixture.signedInState)
    }
}
