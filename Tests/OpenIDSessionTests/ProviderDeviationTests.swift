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

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sessions at providers that deviate from the specifications.
@Suite(.timeLimit(.minutes(5)))
struct ProviderDeviationTests {
    // MARK: Refused refreshes

    @Test func `a refusal without an end is kept with the session, with the server's words, until a refresh succeeds`()
        async throws
    {
        let fixture = try await ProviderFixture.expired()
        let began = fixture.clock.date
        fixture.provider.inject(
            .error("invalid_request", description: "The refresh token is gone.", at: .token),
            times: 2
        )
        let error = try await sessionError { try await fixture.session.accessToken() }
        #expect(error.code == .refreshRefused)
        #expect(!error.isRetryable)
        #expect(error.serverMessage == "The refresh token is gone.")
        fixture.clock.advance(by: .seconds(10))
        #expect(await code { try await fixture.session.refresh() } == .refreshRefused)

        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        let refusal = try #require(await relaunched.refreshRefusal)
        #expect(refusal.code?.rawValue == "invalid_request")
        #expect(refusal.message == "The refresh token is gone.")
        #expect(refusal.since == began)
        #expect(relaunched.state == fixture.signedInState)

        try await relaunched.refresh()
        #expect(await relaunched.refreshRefusal == nil)
        #expect(try await fixture.storedRecord().refreshRefusal == nil)
    }

    @Test func `a failure that is no refusal leaves the last refusal as it is`() async throws {
        let fixture = try await ProviderFixture.expired()
        fixture.provider.inject(.status(400, at: .token))
        #expect(await code { try await fixture.session.refresh() } == .refreshRefused)
        fixture.provider.inject(.status(503, at: .token))
        #expect(await code { try await fixture.session.refresh() } == .unreachable)
        #expect(try await fixture.storedRecord().refreshRefusal != nil)
        try await fixture.signIn()
        #expect(await fixture.session.refreshRefusal == nil)
    }

    // MARK: Revocations without an answer

    private func signedOut(status: Int) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.status(status, at: .revocation), times: .max)
        let result = await fixture.session.signOut()
        #expect(result.revocation == .failed)
        #expect(result.serverCode == nil)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        return fixture
    }

    @Test func `a revocation that is refused without a reason is tried five times over a day`() async throws {
        let fixture = try await signedOut(status: 401)
        for hour in 1...48 {
            fixture.clock.advance(by: .seconds(3_600))
            await fixture.otherProcess().revokeEndedSessions()
            let expected = min(hour / 6 + 1, 5)
            #expect(fixture.provider.requests(at: .revocation).count == expected, "hour \(hour)")
        }
        #expect(try await fixture.stored(PendingRevocations.key) == nil)
    }

    @Test func `many commands after a long time make one attempt`() async throws {
        let fixture = try await signedOut(status: 401)
        fixture.clock.advance(by: .seconds(3 * 86_400))
        for _ in 1...5 { await fixture.otherProcess().revokeEndedSessions() }
        #expect(fixture.provider.requests(at: .revocation).count == 2)
        #expect(try await fixture.pendingRevocationCount() == 1)
    }

    @Test func `a revocation that fails for now is tried at each opportunity`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.status(503, at: .revocation), times: .max)
        #expect(await fixture.session.signOut().revocation == .deferred)
        for _ in 1...9 { await fixture.otherProcess().revokeEndedSessions() }
        #expect(fixture.provider.requests(at: .revocation).count == 10)
        #expect(try await fixture.pendingRevocationCount() == 1)
    }

    // MARK: Userinfo that refuses

    @Test func `a userinfo endpoint that rejects a token costs one refresh, and does not end the session`() async throws
    {
        let fixture = try await ProviderFixture.signedIn()
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        #expect(await fixture.session.validate() == fixture.signedInState)
        #expect(fixture.provider.requests(at: .userInfo).isEmpty)
        let error = await #expect(throws: OpenIDError.self) { try await fixture.session.userInfo() }
        #expect(error?.operation == .userInfo)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.session.state == fixture.signedInState)
    }

    /// The scope of a token for an API of the app's own, as Microsoft reports it.
    private static let otherAPI = InProcessProvider.Fault.responseMember(
        "scope",
        .string("api://jobs/jobs.read"),
        at: .token
    )

    @Test func `at Microsoft a token for another API costs no refresh`() async throws {
        let fixture = try await ProviderFixture(namesUser: true, profile: .microsoft)
        fixture.provider.inject(Self.otherAPI)
        try await fixture.signIn()
        #expect(await fixture.session.missingScope == nil)
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        await #expect(throws: OpenIDError(.userInfo, .otherAudience)) { try await fixture.session.userInfo() }
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test func `at Microsoft a sign-in whose token userinfo rejects names the user by the ID token`() async throws {
        let fixture = try await ProviderFixture(namesUser: false, profile: .microsoft)
        fixture.provider.inject(Self.otherAPI)
        fixture.provider.inject(.status(401, at: .userInfo), times: .max)
        #expect(try await fixture.signIn() == SessionUser(id: fixture.user.id))
        #expect(await fixture.session.validate() == .signedIn(SessionUser(id: fixture.user.id), .online))
        #expect(fixture.provider.requests(at: .userInfo).count == 1)
    }

    @Test func `at Microsoft a rejected token for its own API is refreshed once`() async throws {
        let fixture = try await ProviderFixture(namesUser: true, profile: .microsoft)
        try await fixture.signIn()
        fixture.provider.inject(.status(401, at: .userInfo))
        _ = try await fixture.session.userInfo()
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: ProviderProfile.known.filter { !["microsoft", "github"].contains($0.name) } + [.standard])
    func `at every other provider a rejected token is refreshed once`(profile: ProviderProfile) async throws {
        let fixture = try await ProviderFixture(namesUser: true, profile: profile)
        fixture.provider.inject(Self.otherAPI)
        try await fixture.signIn(AuthorizationParameters(scope: "openid profile offline_access"))
        fixture.provider.inject(.status(401, at: .userInfo))
        _ = try await fixture.session.userInfo()
        #expect(fixture.provider.refreshCount == 1)
    }

    // MARK: Profiles

    @Test(arguments: ProviderProfile.known.filter { $0.name != "github" } + [.standard])
    func `only GitHub's bad_refresh_token ends a session`(profile: ProviderProfile) async throws {
        let fixture = try await ProviderFixture(profile: profile)
        try await fixture.signIn(AuthorizationParameters(scope: "openid profile email offline_access"))
        fixture.provider.inject(.error("bad_refresh_token", status: 200, at: .token))
        #expect(await code { try await fixture.session.refresh() } == .refreshRefused)
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `GitHub's bad_refresh_token ends the session`() async throws {
        let fixture = try await ProviderFixture(profile: .github)
        try await fixture.signIn(AuthorizationParameters(scope: "openid offline_access"))
        fixture.provider.inject(.error("bad_refresh_token", status: 200, at: .token))
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
    }

    /// The journal of the first attempt stays open for hours.
    @Test(arguments: [ProviderProfile.google, .microsoft])
    func `a refresh at a provider that keeps its refresh tokens can be sent again at any time`(
        profile: ProviderProfile
    ) async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.rotatesRefreshTokens = false
        let fixture = try await ProviderFixture(configuration, profile: profile)
        try await fixture.signIn(AuthorizationParameters(scope: "openid profile email offline_access"))
        fixture.provider.inject(.status(503, at: .token))
        #expect(await code { try await fixture.session.refresh() } == .unreachable)
        fixture.clock.advance(by: .seconds(7_200))
        try await fixture.otherProcess().refresh()
        #expect(fixture.receivedRefreshTokens.count == 2)
    }

    @Test func `profiles say which providers keep their refresh tokens`() async throws {
        for profile in [ProviderProfile.google, .microsoft] {
            #expect(try await ProviderFixture(profile: profile).openIDAuthority.policy.rotation == .keepsToken)
        }
        for profile in [ProviderProfile.auth0, .okta, .keycloak, .cognito, .gitlab, .standard] {
            let rotation = try await ProviderFixture(profile: profile).openIDAuthority.policy.rotation
            #expect(rotation == .rotates(graceWindow: nil))
        }
        let own = try await ProviderFixture(graceWindow: .seconds(30), profile: .google)
        #expect(own.openIDAuthority.policy.rotation == .rotates(graceWindow: .seconds(30)))
    }

    @Test func `a refresh token whose scope a refresh would narrow gets no token for another API`() async throws {
        let fixture = try await ProviderFixture(profile: .gitlab)
        try await fixture.signIn()
        let count = fixture.provider.requests(at: .token).count
        let error = try await sessionError {
            _ = try await fixture.session.accessToken(for: TokenTarget(scope: "profile"))
        }
        #expect(error.code == .contractMismatch)
        #expect(fixture.provider.requests(at: .token).count == count)
    }

    @Test(arguments: [ProviderProfile.keycloak, .google, .standard])
    func `a known profile is stored by its name`(profile: ProviderProfile) async throws {
        let fixture = try await ProviderFixture(profile: profile)
        try await fixture.signIn()
        let record = try await fixture.storedRecord().authority
        #expect(try StoredProvider.provider(of: record).profile == profile)
    }

    @Test func `a profile of the app's own is given again to a stored session, which keeps what the sign-in chose`()
        async throws
    {
        var own = ProviderProfile(name: "example")
        own.rotation = .rotates(graceWindow: .seconds(20))
        own.endedSessionCodes = ["gone"]
        own.resources = ["https://api.example"]
        own.redirect.port = 9_999
        own.scope = "openid"
        let fixture = try await ProviderFixture(profile: own)
        try await fixture.signIn()
        let record = try await fixture.storedRecord().authority
        let stored = try StoredProvider.provider(of: record).profile
        #expect(stored.resources == own.resources)
        #expect(stored.redirect == own.redirect)
        #expect(stored.scope == own.scope)
        #expect(stored.rotation == ProviderProfile.standard.rotation)
        let complete = fixture.openID
        let kind = AuthorityKind.openID(completing: { _ in complete })
        let authority = try #require(try [kind].authority(of: record) as? OpenIDAuthority)
        #expect(authority.provider.profile == own)
    }

    @Test func `a provider of another client does not complete a stored session`() async throws {
        let fixture = try await ProviderFixture()
        try await fixture.signIn()
        let record = try await fixture.storedRecord().authority
        let kind = AuthorityKind.openID { $0.with(.public(id: "another")) }
        #expect(throws: SessionRecordError(.damaged)) { try [kind].authority(of: record) }
    }

    @Test func `a private key is not stored, and is given again to a stored session`() async throws {
        let key = try ClientAssertionKey(pem: IdentityIssuer.privateKey, keyID: "k-1")
        let metadata = try await ProviderFixture().openID.metadata
        let client = OpenIDClient.confidential(id: "native", key: key)
        let record = OpenIDAuthority(OpenIDProvider(metadata: metadata, client: client)).record
        let details = String(decoding: try #require(record.details), as: UTF8.self)
        #expect(!details.contains("PRIVATE KEY"))
        let stored = try StoredProvider.provider(of: record)
        #expect(stored.client.authentication.name == "private_key_jwt")
        #expect(stored.client != client)
        let kind = AuthorityKind.openID { $0.with(client) }
        let authority = try #require(try [kind].authority(of: record) as? OpenIDAuthority)
        #expect(authority.provider.client == client)
    }

    // MARK: Scopes that were not granted

    @Test func `a sign-in reports the scopes that were not granted, and a missing refresh token`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(
            .responseMember("scope", .string("openid email"), at: .token),
            .responseMember("refresh_token", nil, at: .token)
        )
        try await fixture.signIn()
        #expect(await fixture.session.missingScope == "profile")
        #expect(await !fixture.session.canRefresh)
        #expect(try await fixture.storedRecord().missingScope == "profile")
    }

    @Test func `a session requests exactly the usual scopes, and offline_access unless the provider's list lacks it`()
        async throws
    {
        func requested(listing scopes: Scope? = nil, without member: String? = nil) async throws -> String? {
            var configuration = InProcessProvider.Configuration()
            if let scopes { configuration.scope = scopes }
            let fixture = try await ProviderFixture(configuration, without: member)
            _ = try await fixture.begin()
            return try #require(fixture.provider.requests(at: .authorization).last).queryValue("scope")
        }
        #expect(try await requested() == "openid profile email offline_access")
        #expect(try await requested(without: "scopes_supported") == "openid profile email offline_access")
        #expect(try await requested(listing: "email profile openid") == "openid profile email")
    }

    /// A response without `scope` grants what was asked for, offline_access too.
    @Test func `offline_access is not missed after a refresh that does not name it`() async throws {
        let fixture = try await ProviderFixture()
        fixture.provider.inject(.responseMember("scope", nil, at: .token))
        try await fixture.signIn()
        fixture.provider.inject(.responseMember("scope", .string("openid profile email"), at: .token))
        try await fixture.session.refresh()
        #expect(await fixture.session.missingScope == nil)
    }

    @Test func `offline_access is not missed, nor a scope under its other name`() async throws {
        let fixture = try await ProviderFixture(profile: .google)
        let long =
            "openid https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/userinfo.profile"
        fixture.provider.inject(.responseMember("scope", .string(long), at: .token))
        try await fixture.signIn(AuthorizationParameters(scope: "openid profile email offline_access"))
        #expect(await fixture.session.missingScope == nil)
        #expect(try await fixture.storedRecord().tokens.scope == "openid email profile")
    }
}
