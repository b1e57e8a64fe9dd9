import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AuthSession

/// A check, and what another process has done since.
@Suite(.timeLimit(.minutes(5)))
struct CheckOtherProcessTests {
    @Test func `who signed out there is signed out here, and the server is not asked`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(checksServer: false)
        await other.signOut()
        #expect(await fixture.session.check() == .signedOut(.signedOutElsewhere))
        #expect(fixture.transport.count(of: Backend.validate) == 0)
    }

    @Test func `tokens that were replaced there are the ones that are asked about`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        let other = try fixture.otherProcess()
        await other.restore(checksServer: false)
        try await other.refresh()
        await fixture.session.check()
        let token = try await other.accessToken().unredacted
        #expect(fixture.transport.requests.last?.header("Authorization") == "Bearer \(token)")
        #expect(try await fixture.session.accessToken().unredacted == token)
    }

    @Test func `a store that can't be read signs nobody out, and the server is asked all the same`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.store.faults.failAll(with: SecureStoreError(.locked))
        #expect(await fixture.session.check() == fixture.signedInState)
        #expect(fixture.transport.count(of: Backend.validate) == 1)
    }
}
