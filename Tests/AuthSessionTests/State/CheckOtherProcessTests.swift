import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// A check after another process has changed the session.
@Suite(.timeLimit(.minutes(5)))
struct CheckOtherProcessTests {
    @Test func `who signed out there is signed out here, and the server is not asked`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        await other.signOut()
        #expect(await fixture.session.validate() == .signedOut(.signedOutElsewhere))
        #expect(fixture.transport.count(of: Backend.validate) == 0)
    }

    @Test func `tokens that were replaced there are the ones that are asked about`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        try await other.refresh()
        await fixture.session.validate()
        let token = try await other.accessToken().unredacted
        #expect(fixture.transport.requests.last?.header("Authorization") == "Bearer \(token)")
        #expect(try await fixture.session.accessToken().unredacted == token)
    }

    @Test func `what the server has ended was not ended elsewhere, though the store holds it no more`() async throws {
        let fixture = try await Fixture.signedIn()
        fixture.backend.on(Backend.pairRefresh) { _ in .json("{}", status: 401) }
        let gate = Gate()
        fixture.store.holdRemovals(at: gate)
        let refresh = Task { try await fixture.session.refresh() }
        await gate.somebodyWaits()
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

    @Test func `a store that can't be read signs nobody out, and the server is asked all the same`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(fixture.transport.count(of: Backend.validate) == 1)
    }
}
