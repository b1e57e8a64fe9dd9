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

/// A sign-in that an API requires of the signed-in user.
///
/// [RFC 9470](https://www.rfc-editor.org/rfc/rfc9470).
@Suite(.timeLimit(.minutes(5)))
struct StepUpTests {
    private static let challenge = StepUpChallenge(acrValues: ["phr", "phrh"], maxAge: .seconds(300))
    private static let other = InProcessProvider.User(subject: "somebody-else", name: "Mallory")

    /// Signs in as a challenge requires, through a user agent that shows the provider's page.
    @discardableResult
    private func stepUp(
        _ fixture: ProviderFixture,
        _ challenge: StepUpChallenge = challenge,
        _ parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> SessionUser? {
        let parameters = try await fixture.session.stepUpParameters(for: challenge, parameters)
        return try await fixture.session.signIn(redirectURI: ProviderFixture.redirectURI, parameters) { url in
            try #require(fixture.provider.authorize(url).redirectURL)
        }
    }

    /// Expects that a session has kept its tokens, in memory and in the store, and that they still work.
    private func expectKept(
        _ before: TokenSet?,
        _ fixture: ProviderFixture,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(await fixture.session.inMemoryTokens == before, sourceLocation: location)
        #expect(try await fixture.storedRecord().tokens == before, sourceLocation: location)
        #expect(fixture.session.state == fixture.signedInState, sourceLocation: location)
        try await fixture.session.refresh()
    }

    /// Returns the last authorization request.
    private func lastRequest(_ fixture: ProviderFixture) throws -> InProcessProvider.Request {
        try #require(fixture.provider.requests(at: .authorization).last)
    }

    // MARK: The request

    @Test func `the request has the challenge's classes and age, a hint of the user and the session's scopes`()
        async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        try await stepUp(fixture)
        let request = try lastRequest(fixture)
        #expect(request.queryValue("acr_values") == "phr phrh")
        #expect(request.queryValue("max_age") == "300")
        #expect(request.queryValue("login_hint") == "jane@example.com")
        #expect(request.queryValue("scope") == "openid profile email offline_access")
    }

    @Test func `the scopes of a session without a refresh token are requested again, and no others`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: AuthorizationParameters(scope: "openid email"))
        try await stepUp(fixture)
        #expect(try lastRequest(fixture).queryValue("scope") == "openid email")
    }

    @Test func `a scope that the provider has not granted is requested again`() async throws {
        let fixture = try await ProviderFixture()
        let callback = try await fixture.begin()
        fixture.provider.inject(.responseMember("scope", .string("openid")))
        try await fixture.session.completeSignIn(redirectedTo: callback)
        try await stepUp(fixture)
        #expect(try lastRequest(fixture).queryValue("scope") == "openid profile email offline_access")
    }

    @Test func `a scope that an API demands is requested beside those of the session`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: AuthorizationParameters(scope: "openid email"))
        let error = APIError(.insufficientScope, stepUp: StepUpChallenge(scope: "profile email"))
        try await stepUp(fixture, try #require(error.stepUp))
        #expect(try lastRequest(fixture).queryValue("scope") == "openid email profile")
        #expect(fixture.session.scope == "openid email profile")
        try await stepUp(fixture, StepUpChallenge(scope: "profile"), AuthorizationParameters(scope: "openid"))
        #expect(try lastRequest(fixture).queryValue("scope") == "openid profile")
    }

    @Test func `a demanded scope that is not granted is missing in the new session`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: AuthorizationParameters(scope: "openid email"))
        fixture.provider.inject(.responseMember("scope", .string("openid email")))
        try await stepUp(fixture, StepUpChallenge(scope: "profile"))
        #expect(await fixture.session.missingScope == "profile")
    }

    @Test func `the app's own parameters are kept, and the shorter age applies`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        var parameters = AuthorizationParameters(scope: "openid")
        parameters.acrValues = ["own"]
        parameters.maximumAge = .seconds(60)
        parameters.loginHint = "jane"
        try await stepUp(fixture, StepUpChallenge(maxAge: .seconds(300)), parameters)
        let request = try lastRequest(fixture)
        #expect(request.queryValue("acr_values") == "own")
        #expect(request.queryValue("max_age") == "60")
        #expect(request.queryValue("login_hint") == "jane")
        #expect(request.queryValue("scope") == "openid")
    }

    @Test func `sender-constrained tokens are replaced by sender-constrained tokens`() async throws {
        let fixture = try await ProviderFixture.signedIn(asking: .bound)
        try await stepUp(fixture)
        #expect(await fixture.session.isSenderConstrained)
    }

    @Test func `no parameters are returned if no user is signed in`() async throws {
        let fixture = try await ProviderFixture()
        #expect(await code { try await fixture.session.stepUpParameters(for: Self.challenge) } == .notSignedIn)
        let ownBackend = try await Fixture.signedIn()
        #expect(await code { try await ownBackend.session.stepUpParameters(for: Self.challenge) } == .contractMismatch)
    }

    // MARK: The result

    @Test func `another user's session is not replaced, even if the step-up began before that user signed in`()
        async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        let parameters = try await fixture.session.stepUpParameters(for: StepUpChallenge(maxAge: .seconds(300)))
        let callback = try await fixture.begin(parameters)
        let pending = try #require(try await fixture.stored(.pendingSignIn))
        fixture.provider.user = Self.other
        try await fixture.signIn()
        let before = await fixture.session.inMemoryTokens
        // As if the other user had signed in without the browser's redirect.
        try await fixture.store.setItem(pending, forKey: .pendingSignIn)
        #expect(await code { try await fixture.session.completeSignIn(redirectedTo: callback) } == .userMismatch)
        #expect(await fixture.session.inMemoryTokens == before)
    }

    @Test func `the new session replaces the old one, whose tokens are not revoked`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = try await fixture.session.accessToken()
        #expect(try await stepUp(fixture) == fixture.user)
        let after = try await fixture.session.accessToken()
        #expect(after != before)
        let stored = try await fixture.storedRecord().tokens
        #expect(stored.accessToken == after)
        let idToken = try #require(stored.idToken)
        #expect(try UnverifiedJWT(idToken).claims["acr"] == .string("phr"))
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test(arguments: [.claim("acr", nil), .claim("acr", .null)] as [InProcessProvider.Fault])
    func `an ID token without a class is accepted`(fault: InProcessProvider.Fault) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = try await fixture.session.accessToken()
        fixture.provider.inject(fault)
        #expect(try await stepUp(fixture) == fixture.user)
        #expect(try await fixture.session.accessToken() != before)
    }

    @Test func `the session stays if the user gives up`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        let parameters = try await fixture.session.stepUpParameters(for: Self.challenge)
        await #expect(throws: OpenIDError(.authorization, .cancelled)) {
            try await fixture.session.signIn(redirectURI: ProviderFixture.redirectURI, parameters) { _ in
                throw OpenIDError(.authorization, .cancelled)
            }
        }
        try await expectKept(before, fixture)
    }

    @Test func `the session stays if the provider can't meet the challenge`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        fixture.provider.inject(.error("unmet_authentication_requirements", at: .authorization))
        let error = await #expect(throws: OpenIDError.self) { try await stepUp(fixture) }
        #expect(error == OpenIDError(.authorization, .refused))
        #expect(error?.oauthCode == .unmetAuthenticationRequirements)
        try await expectKept(before, fixture)
    }

    /// Otherwise the API would require the same again.
    @Test func `the session stays if the ID token names none of the classes, and nothing is revoked`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        fixture.provider.inject(.claim("acr", .string("0")))
        let error = await #expect(throws: OpenIDError.self) { try await stepUp(fixture) }
        #expect(error == OpenIDError(.authorization, .refused))
        #expect(error?.oauthCode == .unmetAuthenticationRequirements)
        try await expectKept(before, fixture)
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
    }

    /// The new tokens may share a grant with the session's, so that revoking them could end it.
    @Test(arguments: [.claim("auth_time", .integer(1)), .claim("auth_time", nil)] as [InProcessProvider.Fault])
    func `the session stays if the user authenticated too long ago, and nothing is revoked`(
        fault: InProcessProvider.Fault
    ) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        fixture.provider.inject(fault)
        #expect(await code { try await stepUp(fixture) } == .invalidResponse)
        try await expectKept(before, fixture)
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
    }

    // MARK: Another user

    @Test func `the session stays if another user signs in, whose tokens are revoked`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        fixture.provider.user = Self.other
        #expect(await code { try await stepUp(fixture) } == .userMismatch)
        while fixture.revokedTokens.isEmpty { await Task.yield() }
        #expect(fixture.revokedTokens.first != before?.refreshToken?.unredacted)
        try await expectKept(before, fixture)
    }

    @Test func `another user is refused in a process that completes the sign-in of an earlier one`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        let parameters = try await fixture.session.stepUpParameters(for: Self.challenge)
        let url = try await fixture.session.beginSignIn(redirectURI: ProviderFixture.redirectURI, parameters)
        fixture.provider.user = Self.other
        let callback = try #require(fixture.provider.authorize(url).redirectURL)
        let next = fixture.otherProcess()
        #expect(await code { try await next.completeSignIn(redirectedTo: callback) } == .userMismatch)
        #expect(next.state == fixture.signedInState)
        try await expectKept(before, fixture)
    }

    @Test func `a process that completes the sign-in of an earlier one revokes nothing of the user's`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        let parameters = try await fixture.session.stepUpParameters(for: Self.challenge)
        let callback = try await fixture.begin(parameters)
        fixture.provider.inject(.claim("acr", .string("0")))
        let next = fixture.otherProcess()
        await #expect(throws: OpenIDError(.authorization, .refused)) {
            try await next.completeSignIn(redirectedTo: callback)
        }
        await settle()
        #expect(fixture.provider.requests(at: .revocation).isEmpty)
        try await expectKept(before, fixture)
    }

    @Test func `another user on another device, whom only the userinfo endpoint names, is refused`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let before = await fixture.session.inMemoryTokens
        let parameters = try await fixture.session.stepUpParameters(for: StepUpChallenge(acrValues: ["phr"]))
        fixture.provider.user = Self.other
        fixture.provider.inject(.responseMember("id_token", nil))
        let user = Task {
            try await fixture.session.signInWithDeviceCode(parameters) { device in
                fixture.provider.approveDevice(userCode: device.userCode)
            }
        }
        await fixture.clock.sleepers()
        fixture.clock.advance(by: .seconds(5))
        #expect(await code { try await user.value } == .userMismatch)
        try await expectKept(before, fixture)
    }
}
