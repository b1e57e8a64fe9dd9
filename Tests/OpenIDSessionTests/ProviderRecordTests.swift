// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored record of a session at a provider, which must suffice to use the session.
@Suite(.timeLimit(.minutes(5)))
struct ProviderRecordTests {
    /// Returns a fixture on the real clock, and a session that was created from its store alone, which uses that clock.
    private func signedInNow(
        asking parameters: AuthorizationParameters = AuthorizationParameters()
    ) async throws -> (ProviderFixture, AuthSession) {
        let fixture = try await ProviderFixture(startingAt: Date())
        try await fixture.signIn(parameters)
        let session = try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider)
        return (fixture, try #require(session))
    }

    @Test(arguments: [false, true]) func `a stored session can refresh, request claims and revoke without further data`(
        isBound: Bool
    ) async throws {
        let (fixture, session) = try await signedInNow(asking: isBound ? .bound : AuthorizationParameters())
        #expect(session.state == fixture.signedInState)
        try await session.refresh()
        #expect(fixture.provider.refreshCount == 1)
        #expect(try await session.userInfo().name == "Jane Doe")
        #expect(await session.signOut().revocation == .revoked)
        #expect(fixture.provider.activeRefreshTokenCount == 0)
        #expect(fixture.provider.count(at: .discovery) == 1)
        for request in fixture.provider.requests where request.endpoint == .userInfo {
            #expect((request.fields[.dpop] != nil) == isBound)
        }
    }

    @Test func `a stored session repeats a lost refresh within the grace window of its sign-in`() async throws {
        let fixture = try await ProviderFixture(graceWindow: .seconds(10), startingAt: Date())
        try await fixture.signIn()
        let stored = try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider)
        let session = try #require(stored)
        fixture.provider.inject(.dropResponse(at: .token))
        try await session.refresh()
        #expect(fixture.receivedRefreshTokens.count == 2)
        #expect(Set(fixture.receivedRefreshTokens).count == 1)
        #expect(fixture.provider.refreshCount == 1)
        #expect(fixture.provider.sessionsEndedByReuse == 0)
    }

    @Test func `a stored session accepts only the signature algorithms of its sign-in`() async throws {
        var configuration = InProcessProvider.Configuration()
        configuration.signingAlgorithms = [.es256, .es384]
        let fixture = try await ProviderFixture(configuration, startingAt: Date(), algorithms: [.es256])
        try await fixture.signIn()
        let stored = try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider)
        let session = try #require(stored)
        fixture.provider.configuration.signingAlgorithms = [.es384]
        fixture.provider.rotateKeys()
        await #expect(throws: IDTokenError(.algorithmNotAllowed)) {
            try await session.idToken(validFor: .seconds(300))
        }
    }

    @Test func `a refresh does not request the provider metadata again`() async throws {
        let fixture = try await ProviderFixture.expired()
        for _ in 0..<3 {
            _ = try await fixture.session.accessToken()
            fixture.clock.advance(by: .seconds(300))
        }
        #expect(fixture.provider.refreshCount == 3)
        #expect(fixture.provider.count(at: .discovery) == 1)
    }

    @Test func `a reconfigured app keeps its session only if issuer and client are the same`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let relaunched = try await fixture.otherProcess(at: fixture.provider)
        await relaunched.restore(validating: false)
        #expect(relaunched.state == fixture.signedInState)
        let otherClient = try await fixture.otherProcess(at: fixture.provider, as: .public(id: "another"))
        await otherClient.restore(validating: false)
        #expect(otherClient.state == .signedOut(.unreadableRecord(.otherBackend)))
        #expect(try await fixture.stored() != nil)
    }

    private static let insecure = """
        {"issuer":"http://id.internal/realm","authorization_endpoint":"http://id.internal/a?realm=1",\
        "token_endpoint":"http://id.internal/t","jwks_uri":"http://id.internal/k",\
        "userinfo_endpoint":"http://id.internal/u","revocation_endpoint":"http://id.internal/r",\
        "end_session_endpoint":"http://id.internal/e","device_authorization_endpoint":"http://id.internal/d",\
        "pushed_authorization_request_endpoint":"http://id.internal/p",\
        "authorization_response_iss_parameter_supported":true,"require_pushed_authorization_requests":true,\
        "id_token_signing_alg_values_supported":["ES256"],\
        "revocation_endpoint_auth_methods_supported":["client_secret_post"]}
        """

    @Test(arguments: [nil, .basic, .post] as [ClientAuthentication.Method?])
    func `every member of a record survives encoding and decoding`(method: ClientAuthentication.Method?) throws {
        let secret = try ClientSecret("x:y+z")
        let confidential = method.map { OpenIDClient.confidential(id: "a b", secret: secret, method: $0) }
        let client = confidential ?? .public(id: "native")
        let issuer = try Issuer("http://id.internal/realm", insecureHTTP: .insecurelyAllowHTTP)
        let metadata = try ProviderMetadata(Array(Self.insecure.utf8), of: issuer)
        var settings = ProviderSettings()
        settings.signatureAlgorithms = [.es256, .edDSA]
        settings.refreshGraceWindow = .milliseconds(1_500)
        var tokens = TokenSet(
            accessToken: try AccessToken("a-1").bound,
            lifetime: TokenLifetime(expiresIn: 300, from: Date(timeIntervalSince1970: 1_800_000_000)),
            refreshToken: try RefreshToken("r-1"),
            idToken: try IDToken("a.b.c"),
            scope: "openid offline_access"
        )
        tokens.dpopKeyBytes = DPoPKey().bytes
        var record = SessionRecord(
            tokenGeneration: 3,
            tokens: tokens,
            user: SessionUser(id: "u1", name: "Ada"),
            authority: OpenIDAuthority(
                OpenIDProvider(metadata: metadata, client: client, settings: settings)
            ).record,
            signIn: "s-1"
        )
        record.refreshBegunAt = Date(timeIntervalSince1970: 1_800_000_100)
        record.repeatedAt = Date(timeIntervalSince1970: 1_800_000_200)
        record.requestedScope = "openid email offline_access"
        let read = try SessionRecord(record.encoded())
        #expect(read == record)
        #expect(read.tokens.dpopKeyBytes == tokens.dpopKeyBytes)
        let provider = try StoredProvider.provider(of: read.authority)
        #expect(provider.client == client)
        #expect(provider.metadata.document == metadata.document)
        #expect(provider.metadata == metadata)
        #expect(provider.metadata.allowsInsecureHTTP)
        #expect(provider.settings.signatureAlgorithms == settings.signatureAlgorithms)
        #expect(provider.settings.refreshGraceWindow == settings.refreshGraceWindow)
    }

    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 1e12)])
    func `a session whose ID token came by an absurd clock of the provider can be read`(date: Date) async throws {
        let fixture = try await ProviderFixture.signedIn()
        var record = try await fixture.storedRecord()
        record.receivedIDToken = ReceivedIDToken(try #require(record.tokens.idToken), at: date)
        #expect(try SessionRecord(record.encoded()) == record)
    }
}
