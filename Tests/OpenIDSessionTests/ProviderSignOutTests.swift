// SPDX-License-Identifier: Apache-2.0

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
    @Test func `a sign-out revokes the refresh token and ends the session`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.inMemoryTokens?.refreshToken)
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

    @Test func `a sign-out revokes the newest refresh token without a refresh`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.session.refresh()
        let token = try #require(await fixture.session.inMemoryTokens?.refreshToken)
        fixture.clock.advance(by: .seconds(3_600))
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.receivedRefreshTokens.count == 1)
    }

    @Test func `a sign-out without a refresh token revokes the access token`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: ProviderFixture.online)
        let token = try await fixture.session.accessToken()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.provider.requests(at: .revocation).last?.formValue("token_type_hint") == "access_token")
    }

    @Test(arguments: [InProcessProvider.Client.Authentication.basic, .post])
    func `a confidential client authenticates the revocation`(method: InProcessProvider.Client.Authentication)
        async throws
    {
        let fixture = try await ProviderFixture.confidential(method)
        try await fixture.signIn()
        #expect(await fixture.session.signOut().revocation == .revoked)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
    }

    @Test func `a provider without a revocation endpoint gets no revocation`() async throws {
        let fixture = try await ProviderFixture.signedIn(without: "revocation_endpoint")
        #expect(await fixture.session.signOut() == SignOutResult(revocation: .notApplicable, storeError: nil))
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        #expect(try await fixture.stored() == nil)
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test(arguments: ["unsupported_token_type", "invalid_client", "invalid_request"])
    func `a revocation that the provider rejects is not repeated`(error: String) async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.error(error, at: .revocation))
        let result = await fixture.session.signOut()
        #expect(result.revocation == .failed)
        #expect(result.serverCode?.rawValue == error)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `a new sign-in of the same user keeps the old grant`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        try await fixture.signIn()
        await settle()
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        #expect(fixture.provider.activeRefreshTokenCount == 2)
    }

    /// The new tokens may share a grant with the session's, so that revoking them could end it.
    @Test(
        arguments: [.claim("auth_time", .integer(1)), .responseMember("id_token", nil), .unreachable(at: .jwks)]
            as [InProcessProvider.Fault],
        [false, true]
    )
    func `a new sign-in that fails keeps the session and revokes nothing, restored or not`(
        fault: InProcessProvider.Fault,
        isRestored: Bool
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let session = isRestored ? fixture.session : fixture.otherProcess()
        var parameters = AuthorizationParameters()
        parameters.maximumAge = .seconds(60)
        let callback = try await fixture.begin(parameters, in: session)
        fixture.provider.rotateKeys()
        fixture.provider.inject(fault)
        await #expect(throws: AuthSessionError.self) { try await session.completeSignIn(redirectedTo: callback) }
        await settle()
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        try await fixture.session.refresh()
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a sign-in that fails revokes nothing if another process has signed the user in`() async throws {
        let fixture = try await ProviderFixture()
        let other = fixture.otherProcess()
        await other.restore()
        #expect(other.state == .signedOut(.noSession))
        try await fixture.signIn()
        let callback = try await fixture.begin(in: other)
        fixture.provider.inject(.responseMember("id_token", nil))
        await #expect(throws: AuthSessionError.self) { try await other.completeSignIn(redirectedTo: callback) }
        await settle()
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        try await fixture.session.refresh()
    }

    @Test func `a first sign-in that fails revokes its tokens`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.claim("nonce", nil))
        await #expect(throws: AuthSessionError.self) { try await fixture.signIn() }
        #expect(fixture.provider.activeRefreshTokenCount == 0)
    }

    @Test(arguments: [false, true]) func `another user's sign-in revokes the earlier user's tokens`(
        isInOtherProcess: Bool
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let token = try #require(await fixture.session.inMemoryTokens?.refreshToken)
        fixture.provider.user = InProcessProvider.User(subject: "another")
        try await fixture.signIn(in: isInOtherProcess ? fixture.otherProcess() : nil)
        while fixture.revokedTokens.isEmpty { await Task.yield() }
        #expect(fixture.revokedTokens == [token.unredacted])
        #expect(fixture.provider.activeRefreshTokenCount == 1)
        #expect(try await fixture.storedRecord().user?.id == "another")
    }

    @Test func `a refresh response after the sign-out neither restores the session nor leaves an active token`()
        async throws
    {
        let fixture = try await ProviderFixture.expired()
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .token) { await gate.pass() })
        let waiting = Task { await code { try await fixture.session.accessToken() } }
        await gate.waitForArrival()
        #expect(await fixture.session.signOut().revocation == .revoked)
        gate.open()
        #expect(await waiting.value == .notSignedIn)
        await settle()
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
    }
}
