import APIClient
import AuthCore
import AuthTesting
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

/// Revocation when a user signs out, or another user signs in.
@Suite(.timeLimit(.minutes(5)))
struct ProviderSignOutTests {
    @Test func `signing out takes the refresh token back, and with it the session`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.heldTokens?.refreshToken)
        let result = await fixture.session.signOut()
        #expect(result == SignOutResult(revocation: .revoked, storeError: nil))
        #expect(fixture.revokedTokens == [token.unredacted])
        let request = try #require(fixture.provider.requests(at: .revocation).last)
        #expect(request.formValue("token_type_hint") == "refresh_token")
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `the newest refresh token is what is taken back, and no refresh is made for it`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.session.refresh()
        let token = try #require(await fixture.session.heldTokens?.refreshToken)
        fixture.clock.advance(by: .seconds(3_600))
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.shownRefreshTokens.count == 1)
    }

    @Test func `without a refresh token the access token is taken back`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        let token = try await fixture.session.accessToken()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.provider.requests(at: .revocation).last?.formValue("token_type_hint") == "access_token")
    }

    @Test(arguments: [InProcessProvider.Client.Authentication.basic, .post])
    func `a client with a secret shows it`(method: InProcessProvider.Client.Authentication) async throws {
        let fixture = try await ProviderFixture.confidential(method)
        try await fixture.signIn()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
    }

    @Test func `a provider that takes nothing back has nothing to be told`() async throws {
        let fixture = try await ProviderFixture.signedIn(without: "revocation_endpoint")
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .notApplicable, storeError: nil))
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test(arguments: ["unsupported_token_type", "invalid_client", "invalid_request"])
    func `what a provider refuses is not asked for again`(error: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.error(error, at: .revocation))
        let result = await fixture.session.signOut()
        #expect(result.revocation == .failed)
        #expect(result.serverCode?.rawValue == error)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `the same person signing in again keeps the old grant`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.signIn()
        await settle()
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        #expect(fixture.provider.activeRefreshTokenCount == 2)
    }

    @Test(arguments: [false, true]) func `another person signing in gives the tokens back of who was there`(
        isInOtherProcess: Bool
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.heldTokens?.refreshToken)
        fixture.provider.user = InProcessProvider.User(subject: "another")
        try await fixture.signIn(in: isInOtherProcess ? fixture.otherProcess() : nil)
        while fixture.revokedTokens.isEmpty { await Task.yield() }
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.provider.activeRefreshTokenCount == 1)
        #expect(try await fixture.storedRecord().user?.id == "another")
    }

    @Test func `a refresh that is answered after the sign-out brings nobody back, and leaves no token`() async throws {
        let fixture = try await ProviderFixture.expired()
        let gate = Gate()
        fixture.provider.inject(.delayReply(at: .token) { await gate.pass() })
        let waiting = Task { await code { try await fixture.session.accessToken() } }
        await gate.somebodyWaits()
        #expect(await fixture.session.signOut().revocation == .revoked)
        gate.open()
        #expect(await waiting.value == .notSignedIn)
        await settle()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
    }
}
