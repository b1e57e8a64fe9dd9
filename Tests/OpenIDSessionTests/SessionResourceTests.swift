// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthTesting
import HTTPTypes
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

/// The APIs that a session's own token was requested for, and where it may be used.
///
/// [RFC 8707, 2](https://www.rfc-editor.org/rfc/rfc8707#section-2).
@Suite(.timeLimit(.minutes(5)))
struct SessionResourceTests {
    private static let api = "https://api.example/jobs"
    private static let other = "https://other.example/jobs"

    /// The ways in which a session's record names its API.
    enum Naming: CaseIterable {
        case configuration
        case request
    }

    private static func profile(_ resources: [String]) -> ProviderProfile {
        var profile = ProviderProfile.standard
        profile.resources = resources
        return profile
    }

    private static func parameters(_ resources: [String]) -> AuthorizationParameters {
        var parameters = AuthorizationParameters()
        parameters.resources = resources
        return parameters
    }

    /// Returns a fixture whose user has signed in for an API.
    private static func signedIn(_ naming: Naming = .request) async throws -> ProviderFixture {
        let fixture = try await ProviderFixture(profile: naming == .request ? nil : profile([api]))
        try await fixture.signIn(naming == .request ? parameters([api]) : AuthorizationParameters())
        return fixture
    }

    /// Returns a session of an app that is configured for some APIs, with the store of a fixture.
    private static func app(for resources: [String], _ fixture: ProviderFixture) async throws -> AuthSession {
        try await fixture.otherProcess(at: fixture.provider, profile: profile(resources))
    }

    /// Calls an API, and returns the code of the failure; nil if the request was sent with a token.
    private static func failure(of url: String, with source: any AccessTokenSource) async throws -> APIError.Code? {
        let transport = ScriptedTransport { _ in .json("{}") }
        let client = APIClient(
            baseURL: try BaseURL(originOf: url),
            authenticatedBy: source,
            transport: transport
        )
        do {
            _ = try await client.send(Endpoint<TransportResponse>.raw(.get, "").at(url))
            #expect(transport.requests.allSatisfy { $0.head.headerFields[.authorization] != nil })
            return nil
        } catch let error as APIError {
            #expect(transport.requests.isEmpty)
            return error.code
        }
    }

    // MARK: Restore

    @Test(arguments: Naming.allCases)
    func `a session for another API is not restored and stays in the store`(naming: Naming) async throws {
        let fixture = try await Self.signedIn(naming)
        let item = try await fixture.stored()
        let other = try await Self.app(for: [Self.other], fixture)
        await other.restore(validating: false)
        #expect(other.state == .signedOut(.unreadableRecord(.otherBackend)))
        #expect(try await sessionError { try await other.accessToken() }.code == .notSignedIn)
        #expect(other.allowedOrigins == nil)
        #expect(try await fixture.stored() == item)
        let same = try await Self.app(for: [Self.api], fixture)
        await same.restore(validating: false)
        #expect(same.state == fixture.signedInState)
    }

    @Test(
        arguments: [
            (["https://a.example", "https://b.example"], true),
            (["https://b.example", "https://a.example", "https://b.example"], true),
            (["https://a.example"], false),
            (["https://a.example", "https://b.example", "https://c.example"], false),
            (["https://a.example", "https://b.example/"], false),
            (["https://a.example", "https://B.example"], false),
        ]
    )
    func `the APIs of a session are compared byte for byte, in any order`(
        resources: [String],
        isSame: Bool
    ) async throws {
        let fixture = try await ProviderFixture(profile: Self.profile(["https://a.example", "https://b.example"]))
        try await fixture.signIn()
        let app = try await Self.app(for: resources, fixture)
        await app.restore(validating: false)
        #expect((app.state == fixture.signedInState) == isSame)
    }

    @Test func `names of APIs that look alike are different`() async throws {
        let fixture = try await ProviderFixture(profile: Self.profile(["https://a.example/\u{E9}"]))
        try await fixture.signIn()
        let app = try await Self.app(for: ["https://a.example/e\u{301}"], fixture)
        await app.restore(validating: false)
        #expect(app.state == .signedOut(.unreadableRecord(.otherBackend)))
    }

    @Test func `an app that is configured for an API does not restore a session that named none`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let app = try await Self.app(for: [Self.api], fixture)
        await app.restore(validating: false)
        #expect(app.state == .signedOut(.unreadableRecord(.otherBackend)))
    }

    @Test(arguments: Naming.allCases)
    func `an app without an API restores the session, and its token goes to the API alone`(
        naming: Naming
    ) async throws {
        let fixture = try await Self.signedIn(naming)
        let app = try await fixture.otherProcess(at: fixture.provider)
        await app.restore(validating: false)
        #expect(app.state == fixture.signedInState)
        // A refresh writes the record with this app's configuration.
        for _ in 0..<2 {
            #expect(app.allowedOrigins == ["https://api.example"])
            #expect(try await Self.failure(of: Self.other, with: app) == .originNotAllowed)
            #expect(try await Self.failure(of: Self.api, with: app) == nil)
            try await app.refresh()
            #expect(fixture.provider.requests(at: .token).last?.formValue("resource") == Self.api)
        }
        let relaunched = try await Self.app(for: [Self.other], fixture)
        await relaunched.restore(validating: false)
        #expect(relaunched.state == .signedOut(.unreadableRecord(.otherBackend)))
    }

    @Test func `a sign-in that named another API than the app's configuration is restored, for that API`()
        async throws
    {
        let fixture = try await ProviderFixture(profile: Self.profile([Self.api]))
        try await fixture.signIn(Self.parameters([Self.other]))
        try await fixture.session.refresh()
        #expect(fixture.session.state == fixture.signedInState)
        let relaunched = fixture.otherProcess()
        await relaunched.restore(validating: false)
        #expect(relaunched.state == fixture.signedInState)
        #expect(relaunched.allowedOrigins == ["https://other.example"])
    }

    @Test func `a session leaves once another process has signed in for another API`() async throws {
        let fixture = try await Self.signedIn(.configuration)
        let token = try await fixture.session.accessToken()
        try await fixture.signIn(in: try await Self.app(for: [Self.other], fixture))
        await fixture.session.validate()
        #expect(fixture.session.state != fixture.signedInState)
        #expect(try await sessionError { try await fixture.session.credential(insteadOf: token) }.code == .notSignedIn)
    }

    @Test func `a sign-in for another API revokes the tokens of the session that it replaces`() async throws {
        let fixture = try await Self.signedIn(.configuration)
        let replaced = try #require(try await fixture.storedRecord().tokens.refreshToken)
        fixture.provider.user = InProcessProvider.User(subject: "another", name: "Ada")
        try await fixture.signIn(in: try await Self.app(for: [Self.other], fixture))
        try await fixture.waitForRevocations()
        while fixture.revokedTokens.isEmpty { await Task.yield() }
        #expect(fixture.revokedTokens == [replaced.unredacted])
    }

    @Test func `a pending sign-in for another API is not completed`() async throws {
        let fixture = try await ProviderFixture(profile: Self.profile([Self.api]))
        let callback = try await fixture.begin()
        let other = try await Self.app(for: [Self.other], fixture)
        #expect(try await !other.isSignInResponse(callback))
        await #expect(throws: OpenIDError(.authorization, .noPendingAuthorization)) {
            try await other.completeSignIn(redirectedTo: callback)
        }
        try await fixture.session.completeSignIn(redirectedTo: callback)
        #expect(fixture.session.allowedOrigins == ["https://api.example"])
    }

    // MARK: Origins

    @Test(arguments: Naming.allCases)
    func `a session's token may go to the origins of its APIs, in each process`(naming: Naming) async throws {
        let fixture = try await Self.signedIn(naming)
        #expect(fixture.session.allowedOrigins == ["https://api.example"])
        let relaunched = fixture.otherProcess()
        #expect(relaunched.allowedOrigins == nil)
        await relaunched.restore(validating: false)
        #expect(relaunched.allowedOrigins == ["https://api.example"])
        let stored = try #require(
            try await AuthSession.stored(in: fixture.store, of: [.openID], transport: fixture.provider)
        )
        #expect(stored.allowedOrigins == ["https://api.example"])
        await relaunched.signOut()
        #expect(relaunched.allowedOrigins == nil)
    }

    @Test(
        arguments: [
            ([], nil),
            (["https://A.example:443/x?y=1", "https://a.example/z"], ["https://a.example"]),
            (["https://a.example", "HTTP://127.0.0.1:8080/mcp"], ["https://a.example", "http://127.0.0.1:8080"]),
            (["https://a.example", "urn://jobs"], ["https://a.example"]),
            // Names that say nothing of a server's address, as an audience.
            (["api://jobs"], nil),
            // A URL without a readable origin.
            (["https://user@a.example/"], []),
        ] as [([String], Set<String>?)]
    )
    func `the origins are those of the http and https URLs`(
        resources: [String],
        origins: Set<String>?
    ) async throws {
        let fixture = try await ProviderFixture()
        try await fixture.signIn(Self.parameters(resources))
        #expect(fixture.session.allowedOrigins == origins)
    }

    @Test func `a client sends the token to no other origin, also before the session is restored`() async throws {
        let fixture = try await Self.signedIn()
        for url in [Self.other, "https://api.example:8443/jobs", "https://api.example.evil.example/"] {
            #expect(try await Self.failure(of: url, with: fixture.session) == .originNotAllowed)
            #expect(try await Self.failure(of: url, with: fixture.otherProcess()) == .originNotAllowed)
        }
        #expect(try await Self.failure(of: "https://api.example/else", with: fixture.session) == nil)
        #expect(try await Self.failure(of: Self.api, with: fixture.otherProcess()) == nil)
    }

    @Test func `an origin that the app names is allowed, too`() async throws {
        let fixture = try await Self.signedIn()
        let named = try BaseURL("https://other.example/path")
        for session in [fixture.session, fixture.otherProcess()] {
            let source = session.allowing(named)
            for url in [Self.other, Self.api] { #expect(try await Self.failure(of: url, with: source) == nil) }
            #expect(source.allowedOrigins == ["https://api.example", "https://other.example"])
            #expect(try await Self.failure(of: "https://third.example", with: source) == .originNotAllowed)
            // The source's own origins count, whatever servers an authorizer is for.
            var authorizer = RequestAuthorizer(session, for: [named])
            var request = HTTPRequest(method: .get, scheme: "https", authority: "other.example", path: "/jobs")
            await #expect(throws: APIError(.originNotAllowed)) { try await authorizer.authorize(&request) }
        }
    }

    /// A source as an app may write it, which forgets a requirement.
    private struct Wrapper: AccessTokenSource {
        let session: AuthSession

        func credential() async throws -> AccessCredential { try await session.credential() }
        func credential(insteadOf rejected: AccessToken) async throws -> AccessCredential {
            try await session.credential(insteadOf: rejected)
        }
    }

    @Test func `a source that wraps the session without its origins sends the token nowhere else`() async throws {
        let fixture = try await Self.signedIn()
        let source = Wrapper(session: fixture.session)
        #expect(source.allowedOrigins == nil)
        #expect(try await Self.failure(of: Self.other, with: source) == .originNotAllowed)
        #expect(try await Self.failure(of: Self.api, with: source) == nil)
    }

    @Test func `the token of a session whose sign-in named no API goes to any server`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        #expect(fixture.session.allowedOrigins == nil)
        #expect(try await Self.failure(of: Self.other, with: fixture.session) == nil)
        let source = fixture.session.allowing(try BaseURL(Self.api))
        #expect(try await Self.failure(of: Self.other, with: source) == nil)
    }

    // MARK: Another API's token

    @Test func `another API's token goes to that API alone, and one for a scope to the session's`() async throws {
        let fixture = try await Self.signedIn()
        var client = InProcessProvider.Client.public(id: "native")
        client.exchangeAudiences = ["https://bills.example/v1", "bills"]
        fixture.provider.register(client)
        let bills = fixture.session.credentials(for: TokenTarget(resources: ["https://bills.example/v1"]))
        #expect(bills.allowedOrigins == ["https://bills.example"])
        #expect(try await Self.failure(of: "https://bills.example/1", with: bills) == nil)
        #expect(try await Self.failure(of: Self.api, with: bills) == .originNotAllowed)
        #expect(try await Self.failure(of: Self.api, with: bills.allowing(try BaseURL(Self.api))) == nil)

        let narrow = fixture.session.credentials(for: TokenTarget(scope: "profile"))
        #expect(narrow.allowedOrigins == ["https://api.example"])
        #expect(try await Self.failure(of: Self.api, with: narrow) == nil)
        #expect(try await Self.failure(of: Self.other, with: narrow) == .originNotAllowed)

        // An audience is no address.
        let audience = fixture.session.credentials(for: TokenTarget(audiences: ["bills"]))
        #expect(audience.allowedOrigins == nil)
        #expect(try await Self.failure(of: Self.other, with: audience) == nil)
    }

    // MARK: Step-up and programs

    @Test func `a step-up is for the APIs of the session`() async throws {
        let fixture = try await Self.signedIn()
        let challenge = StepUpChallenge(acrValues: ["phr"])
        #expect(try await fixture.session.stepUpParameters(for: challenge).resources == [Self.api])
        let own = try await fixture.session.stepUpParameters(for: challenge, Self.parameters([Self.other]))
        #expect(own.resources == [Self.other])
    }

    @Test func `a program's token goes to the API of its target, or of its server, alone`() async throws {
        let program = try await Program()
        let target = TokenTarget(resources: [Self.api])
        let credentials = program.otherProcess(target)
        _ = try await credentials.accessToken()
        #expect(credentials.allowedOrigins == ["https://api.example"])
        #expect(try await Self.failure(of: Self.other, with: program.otherProcess(target)) == .originNotAllowed)
        try await credentials.renew()
        #expect(credentials.allowedOrigins == ["https://api.example"])

        func provider(_ resources: [String]) throws -> OpenIDProvider {
            let metadata = program.openID.metadata
            let issuer = try Issuer(program.provider.issuer, profile: Self.profile(resources))
            return OpenIDProvider(
                metadata: try ProviderMetadata(Array(JSONEncoder().encode(metadata.document)), of: issuer),
                client: program.openID.client,
                settings: program.openID.settings
            )
        }
        let server = program.otherProcess(TokenTarget(), at: try provider([Self.api]))
        let token = try await server.accessToken()
        #expect(server.allowedOrigins == ["https://api.example"])
        for (resources, isSame) in [([Self.api], true), ([Self.other], false), ([], false)] {
            let other = program.otherProcess(TokenTarget(), at: try provider(resources))
            #expect((await other.knownTokens?.accessToken == token) == isSame)
        }
    }
}
