import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession

/// A session without a refresh token, which lasts as long as its access token does.
@Suite(.timeLimit(.minutes(5)))
struct UnrenewableSessionTests {
    private func signedIn() async throws -> ProviderFixture {
        try await .signedIn(asking: ProviderFixture.online)
    }

    @Test func `its access token is served until it ends, and nobody is asked for another`() async throws {
        let fixture = try await signedIn()
        #expect(try await fixture.storedRecord().tokens.refreshToken == nil)
        let token = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(299))
        #expect(try await fixture.session.accessToken() == token)
        #expect(fixture.session.state == fixture.signedInState)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    @Test func `to renew it before its end can't be done, and it goes on`() async throws {
        let fixture = try await signedIn()
        let error = try await sessionError { try await fixture.session.refresh() }
        #expect(error.code == .notRenewable)
        #expect(error.sessionStays)
        #expect(!error.retryHelps)
        let token = try await fixture.session.accessToken()
        #expect(await code { try await fixture.session.accessToken(insteadOf: token) } == .notRenewable)
        #expect(await fixture.session.check() == fixture.signedInState)
        #expect(fixture.provider.requests(at: .token).count == 1)
    }

    @Test func `with its access token the session has expired, here and in the store`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(300))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.expired))
        #expect(try await fixture.stored() == nil)
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
    }

    @Test func `it expires at its end also where it was asked for often just before`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(270))
        for _ in 0..<29 {
            _ = try await fixture.session.accessToken()
            fixture.clock.advance(by: .seconds(1))
        }
        _ = try await fixture.session.accessToken()
        fixture.clock.advance(by: .seconds(1))
        #expect(await code { try await fixture.session.accessToken() } == .sessionEnded)
        #expect(fixture.session.state == .signedOut(.expired))
    }

    @Test func `one that ended while the app was away has expired at the check`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(3_600))
        let relaunched = fixture.otherProcess()
        await relaunched.restore(checksServer: false)
        #expect(await relaunched.check() == .signedOut(.expired))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `another sign-in in another process is taken, and nothing has expired`() async throws {
        let fixture = try await signedIn()
        fixture.clock.advance(by: .seconds(300))
        let other = fixture.otherProcess()
        try await fixture.signIn(in: other)
        #expect(try await fixture.session.accessToken() == other.accessToken())
        #expect(fixture.session.state == fixture.signedInState)
    }
}
