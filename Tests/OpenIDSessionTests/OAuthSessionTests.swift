// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import OpenIDConnect
import SecureStore
import Testing

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Stored sessions at servers without OpenID Connect, which publish no discovery document.
@Suite(.timeLimit(.minutes(1)))
struct OAuthSessionTests {
    private static let client = OpenIDClient.public(id: "app")

    private static func gitHub() throws -> OpenIDProvider { try .github(client: client) }

    /// Returns a server whose endpoints the app gives.
    private static func server() throws -> OpenIDProvider {
        let issuer = try Issuer("https://auth.example")
        let metadata = try ProviderMetadata.endpoints(
            of: issuer,
            authorizationEndpoint: "https://auth.example/authorize",
            tokenEndpoint: "https://tokens.example/issue",
            revocationEndpoint: "https://tokens.example/revoke"
        )
        let user = OAuthUserEndpoint(url: try EndpointURL("https://api.example/me", of: issuer))
        return .oauth(metadata: metadata, client: client, userEndpoint: user)
    }

    /// Returns a store with a session whose access token has expired.
    private func store(_ provider: OpenIDProvider) async throws -> MemoryStore {
        let tokens = TokenSet(
            accessToken: try AccessToken("a-1"),
            lifetime: TokenLifetime(expiresIn: 600, from: Date() - 3_600),
            refreshToken: try RefreshToken("r-1"),
            scope: "repo gist"
        )
        let record = SessionRecord(
            tokenGeneration: 0,
            tokens: tokens,
            user: SessionUser(id: "7"),
            authority: OpenIDAuthority(provider).record,
            signIn: "s-1"
        )
        let store = MemoryStore()
        try await store.setItem(try record.encoded(), forKey: SessionRecord.key)
        return store
    }

    @Test(
        arguments: try [
            (gitHub(), "github.com/login/oauth/access_token", "api.github.com/user"),
            (server(), "tokens.example/issue", "api.example/me"),
        ] as [(OpenIDProvider, String, String)]
    )
    func `a stored session opens again, refreshes, and names its user`(
        provider: OpenIDProvider,
        tokenEndpoint: String,
        userEndpoint: String
    ) async throws {
        let store = try await store(provider)
        let transport = ScriptedTransport { request in
            request.head.method == .get
                ? .json(#"{"id":7,"login":"ada"}"#)
                : .json(#"{"access_token":"a-2","token_type":"bearer","expires_in":600,"refresh_token":"r-2"}"#)
        }
        let opened = try await AuthSession.stored(in: store, of: [.openID], transport: transport)
        let session = try #require(opened)
        #expect(session.provider?.profile == provider.profile)
        #expect(session.provider?.metadata.document == provider.metadata.document)
        #expect(try await session.accessToken().unredacted == "a-2")
        #expect(try await session.userInfo().name == "ada")
        #expect(Self.addresses(transport) == [tokenEndpoint, userEndpoint])
        let sent = String(decoding: try #require(transport.requests.first).body ?? [], as: UTF8.self)
        #expect(sent.contains("refresh_token=r-1") && sent.contains("client_id=app"), "\(sent)")
        let stored = try SessionRecord(try #require(await store.item(forKey: SessionRecord.key)))
        #expect(stored.tokens.refreshToken?.unredacted == "r-2")
        #expect(stored.tokens.idToken == nil)
    }

    @Test(arguments: try [gitHub(), server()], [#"{"id":8,"login":"eve"}"#, #"{"sub":"8","id":7}"#])
    func `an endpoint that names another user ends the call, and the session's user stays`(
        provider: OpenIDProvider,
        other: String
    ) async throws {
        let store = try await store(provider)
        let transport = ScriptedTransport { request in
            request.head.method == .get
                ? .json(other) : .json(#"{"access_token":"a-2","token_type":"bearer","expires_in":600}"#)
        }
        let opened = try await AuthSession.stored(in: store, of: [.openID], transport: transport)
        let session = try #require(opened)
        await #expect(throws: OpenIDError(.userInfo, .subjectMismatch)) { try await session.userInfo() }
        #expect(session.state == .signedIn(SessionUser(id: "7"), .online))
        let stored = try SessionRecord(try #require(await store.item(forKey: SessionRecord.key)))
        #expect(stored.user == SessionUser(id: "7"))
    }

    @Test func `a stored session at GitHub keeps GitHub's rules`() async throws {
        let store = try await store(Self.gitHub())
        let dead = #"{"error":"bad_refresh_token","error_description":"The refresh token is invalid."}"#
        let transport = ScriptedTransport { _ in .json(dead) }
        let opened = try await AuthSession.stored(in: store, of: [.openID], transport: transport)
        let session = try #require(opened)
        await #expect(throws: AuthSessionError(.sessionEnded)) { try await session.accessToken() }
        #expect(session.state == .signedOut(.endedByServer))
    }

    @Test func `a session at another token endpoint of the same server and client is another one`() async throws {
        let store = try await store(Self.server())
        let metadata = try ProviderMetadata.endpoints(
            of: Issuer("https://auth.example"),
            authorizationEndpoint: "https://auth.example/authorize",
            tokenEndpoint: "https://auth.example/token"
        )
        let other = OpenIDProvider.oauth(metadata: metadata, client: Self.client)
        let session = AuthSession(backend: .openID(other), store: store)
        await session.restore(validating: false)
        #expect(session.state == .signedOut(.unreadableRecord(.otherBackend)))
    }

    /// The refusal of a token that is for an API would end the sign-in.
    @Test func `a sign-in for an API does not ask the userinfo endpoint of the server's metadata`() async throws {
        let redirectURI = "com.example.app:/callback"
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [.public(id: "app", redirectURIs: [redirectURI])]
        let server = InProcessProvider(issuer: "https://auth.example", configuration: configuration)
        server.inject(.status(401, at: .userInfo), times: .max)
        var settings = ProviderSettings()
        settings.transport = server
        var profile = ProviderProfile.standard
        profile.resources = ["https://mcp.example/mcp"]
        let metadata = try await ProviderMetadata.discover(
            authorizationServer: Issuer(server.issuer, profile: profile),
            settings: settings
        )
        #expect(metadata.userInfoEndpoint != nil)
        let provider = OpenIDProvider.oauth(metadata: metadata, client: Self.client, settings: settings)
        let store = MemoryStore()
        let session = AuthSession(backend: .openID(provider), store: store, transport: server)
        let url = try await session.beginSignIn(redirectURI: redirectURI)
        let callback = try #require(server.authorize(url).redirectURL)
        #expect(try await session.completeSignIn(redirectedTo: callback) == nil)
        #expect(session.state == .signedIn(nil, .online))
        // Nor does the session that another process restores from the stored metadata.
        let opened = try await AuthSession.stored(in: store, of: [.openID], transport: server)
        let restored = try #require(opened)
        await #expect(throws: OpenIDError(.userInfo, .unsupported)) { try await restored.userInfo() }
        #expect(server.requests(at: .userInfo).isEmpty)
    }

    private static func addresses(_ transport: ScriptedTransport) -> [String] {
        transport.requests.map { ($0.head.authority ?? "") + ($0.head.path ?? "") }
    }
}
