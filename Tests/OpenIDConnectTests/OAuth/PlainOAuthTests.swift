// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// Signing in at an authorization server without OpenID Connect.
@Suite struct PlainOAuthTests {
    private static let redirectURI = "http://127.0.0.1:40123/callback"
    private let server = InProcessProvider(issuer: "https://provider.example")

    private var settings: ProviderSettings {
        var settings = ProviderSettings()
        settings.transport = server
        return settings
    }

    private func discovered(_ profile: ProviderProfile? = nil) async throws -> OpenIDProvider {
        let issuer = try Issuer(server.issuer, profile: profile)
        let metadata = try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings)
        return .oauth(metadata: metadata, client: .public(id: "native"), settings: settings)
    }

    private func request(
        to provider: OpenIDProvider,
        _ parameters: AuthorizationParameters = AuthorizationParameters(scope: "profile email")
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            provider: provider.metadata,
            clientID: "native",
            redirectURI: Self.redirectURI,
            parameters: parameters,
            nonce: "nonce"
        )
    }

    @Test func `the request has PKCE and state, no nonce, and no scope that nobody asked for`() async throws {
        let request = request(to: try await discovered(), AuthorizationParameters())
        let form = Dictionary(uniqueKeysWithValues: try request.form())
        #expect(form["scope"] == nil)
        #expect(form["nonce"] == nil)
        #expect(form["state"] == request.state.unredacted)
        #expect(form["code_challenge"] == request.codeVerifier.codeChallenge)
    }

    @Test func `a code is exchanged without an ID token, and the user comes from the endpoint`() async throws {
        let provider = try await discovered()
        let request = request(to: provider, AuthorizationParameters(scope: "openid profile email"))
        let callback = try #require(server.authorize(try request.url()).redirectURL)
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        let tokens = try await provider.tokens(for: response, to: request)
        // The server issued one, and nothing verifies it.
        #expect(tokens.idToken == nil)
        #expect(tokens.tokens.idToken == nil)
        let info = try await provider.userInfo(with: tokens.tokens.accessToken, of: nil, dpopKey: nil)
        #expect(info.subject == "248289761001")
        #expect(info.name == "Jane Doe")
    }

    @Test func `an ID token of a refresh is neither read nor kept`() async throws {
        let provider = try await discovered()
        let request = request(to: provider, AuthorizationParameters(scope: "openid profile offline_access"))
        let callback = try #require(server.authorize(try request.url()).redirectURL)
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        let tokens = try await provider.tokens(for: response, to: request)
        server.inject(.claim("sub", .string("another-person")))
        let refreshed = try await provider.refreshed(
            with: try #require(tokens.tokens.refreshToken),
            previous: nil,
            of: "248289761001",
            dpopKey: nil,
            sendGuard: { true }
        )
        guard case .tokens(let new, nil, _) = refreshed else {
            Issue.record("\(refreshed)")
            return
        }
        #expect(new.idToken == nil)
    }

    @Test func `an OpenID provider still needs signing keys`() async throws {
        server.inject(.responseMember("jwks_uri", nil, at: .discovery))
        let error = await #expect(throws: OpenIDError.self) {
            try await OpenIDProvider.discover(
                issuer: Issuer(server.issuer),
                client: .public(id: "native"),
                settings: settings
            )
        }
        #expect(error == OpenIDError(.discovery, .missingMembers(["jwks_uri"])))
    }

    @Test func `metadata are read where RFC 8414 puts them, and else where OpenID Connect does`() async throws {
        let transport = ScriptedTransport { request in
            guard request.head.path == "/tenant/.well-known/openid-configuration" else {
                return .json("{}", status: 404)
            }
            return .json(Self.document(of: "https://auth.example/tenant"))
        }
        var settings = ProviderSettings()
        settings.transport = transport
        let metadata = try await ProviderMetadata.discover(
            authorizationServer: Issuer("https://auth.example/tenant"),
            settings: settings
        )
        #expect(metadata.jwksURI == nil)
        #expect(
            transport.requests.map(\.head.path) == [
                "/.well-known/oauth-authorization-server/tenant", "/.well-known/openid-configuration/tenant",
                "/tenant/.well-known/openid-configuration",
            ]
        )
    }

    private static func document(of issuer: String) -> String {
        #"{"issuer":"\#(issuer)","authorization_endpoint":"\#(issuer)/a","token_endpoint":"\#(issuer)/t"}"#
    }

    @Test(arguments: ["http://auth.example/t", "ftp://auth.example/t", "https://auth.example/t#x", "/t", ""])
    func `endpoints by hand are checked like published ones`(token: String) throws {
        let issuer = try Issuer("https://auth.example")
        #expect(throws: BaseURLError.self) {
            try ProviderMetadata.endpoints(
                of: issuer,
                authorizationEndpoint: "https://auth.example/a",
                tokenEndpoint: token
            )
        }
    }

    // MARK: Users

    @Test(
        arguments: [
            (#"{"id":583231,"login":"octocat","name":null,"email":null}"#, "583231", "octocat", nil),
            (#"{"id":1,"login":"ada","name":"Ada","email":"a@example.com"}"#, "1", "Ada", "a@example.com"),
            (#"{"sub":"s","id":"i","username":"u","name":""}"#, "s", "u", nil),
        ] as [(String, String, String?, String?)]
    )
    func `the user is mapped from the endpoint's members`(
        body: String,
        id: String,
        name: String?,
        email: String?
    ) async throws {
        let info = try await userInfo(body)
        #expect(info.subject == id)
        #expect(info.name == name)
        #expect(info.email == email)
    }

    @Test(arguments: [#"{}"#, #"{"id":1.5}"#, #"{"id":""}"#, #"{"id":null}"#, #"{"id":{"a":1}}"#, #"{"id":true}"#])
    func `a response without an identifier names no user`(body: String) async throws {
        let error = await #expect(throws: OpenIDError.self) { try await userInfo(body) }
        #expect(error == OpenIDError(.userInfo, .missingSubject))
    }

    private func userInfo(_ body: String) async throws -> UserInfo {
        var settings = ProviderSettings()
        settings.transport = ScriptedTransport { _ in .json(body) }
        let provider = try OpenIDProvider.github(client: .public(id: "native"), settings: settings)
        return try await provider.userInfo(with: AccessToken("token"), of: nil, dpopKey: nil)
    }

    // MARK: GitHub

    @Test func `GitHub's endpoints and its API follow from the server's address`() throws {
        let github = try OpenIDProvider.github(client: .public(id: "a"))
        #expect(github.metadata.issuer.identifier == "https://github.com/login/oauth")
        #expect(github.metadata.tokenEndpoint.description == "https://github.com/login/oauth/access_token")
        #expect(github.userEndpoint?.url.description == "https://api.github.com/user")
        let own = try OpenIDProvider.github(client: .public(id: "a"), server: BaseURL("https://git.example.com"))
        #expect(own.metadata.deviceAuthorizationEndpoint?.description == "https://git.example.com/login/device/code")
        #expect(own.userEndpoint?.url.description == "https://git.example.com/api/v3/user")
        #expect(own.metadata.issuer.profile == .github)
    }

    @Test func `GitHub's secret is sent for a code, and not in the device flow`() async throws {
        let transport = ScriptedTransport { request in
            request.head.path == "/login/device/code"
                ? .json(
                    #"{"device_code":"d","user_code":"A-B","verification_uri":"https://github.com/login/device","expires_in":900,"interval":1}"#
                ) : .json(#"{"access_token":"a","token_type":"bearer","scope":"repo,gist"}"#)
        }
        let clock = TestClock()
        var settings = ProviderSettings()
        settings.transport = transport
        settings.clock = clock
        let client = OpenIDClient.confidential(id: "a", secret: try ClientSecret("secret-1"), method: .post)
        let github = try OpenIDProvider.github(client: client, settings: settings)
        let device = try await github.deviceAuthorization(AuthorizationParameters())
        async let tokens = github.tokens(for: device)
        await clock.sleepers()
        clock.advance(by: .seconds(1))
        // Commas separate the scopes.
        #expect(try await tokens.tokens.scope == "repo gist")
        #expect(transport.bodies.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("secret-1") })
        let request = AuthorizationRequest(
            provider: github.metadata,
            clientID: "a",
            redirectURI: Self.redirectURI,
            nonce: "n"
        )
        let answer = "code=c&state=\(request.state.unredacted)&iss=https://github.com/login/oauth"
        _ = try await github.tokens(for: AuthorizationResponse(query: answer, to: request), to: request)
        let last = transport.bodies.last ?? []
        #expect(String(decoding: last, as: UTF8.self).contains("secret-1"))
    }

    @Test(arguments: ProviderProfile.known.filter { $0.name != "github" } + [.standard])
    func `only GitHub's scopes are separated by commas`(profile: ProviderProfile) async throws {
        var settings = ProviderSettings()
        settings.transport = ScriptedTransport { _ in
            .json(#"{"access_token":"a","token_type":"bearer","scope":"repo,gist"}"#)
        }
        let metadata = try ProviderMetadata.endpoints(
            of: Issuer("https://auth.example", profile: profile),
            authorizationEndpoint: "https://auth.example/a",
            tokenEndpoint: "https://auth.example/t"
        )
        let provider = OpenIDProvider.oauth(metadata: metadata, client: .public(id: "a"), settings: settings)
        let response = try await TokenEndpoint(provider: provider).exchange([("grant_type", "x")])
        #expect(response.scope?.values == ["repo,gist"])
    }
}
