import AuthTesting
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// The state changes around a session that can't be refreshed.
@Suite(.timeLimit(.minutes(5)))
struct ExpiredSessionChangeTests {
    /// Returns a fixture whose session has expired.
    private func expired() async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        fixture.clock.advance(by: .seconds(300))
        _ = try? await fixture.session.accessToken()
        return fixture
    }

    @Test func `somebody signs in again`() async throws {
        let fixture = try await expired()
        let told = ToldStates(fixture.session)
        try await fixture.signIn()
        #expect(await told.untilNow() == [.signedOut(.expired), fixture.signedInState])
    }

    @Test func `somebody signs out to be sure`() async throws {
        let fixture = try await expired()
        let told = ToldStates(fixture.session)
        await fixture.session.signOut()
        #expect(await told.untilNow() == [.signedOut(.expired), .signedOut(.userSignedOut)])
    }

    @Test func `it expires while the provider is away`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        fixture.provider.inject(.unreachable(at: .userInfo), times: .max)
        await fixture.session.validate()
        let told = ToldStates(fixture.session)
        let offline = SessionState.signedIn(fixture.user, .offline(since: fixture.clock.date))
        fixture.clock.advance(by: .seconds(300))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(await told.untilNow() == [offline, .signedOut(.expired)])
    }
}
