// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Synchronization
import Testing

@testable import OpenIDConnect

/// The attacks on tokens, numbered as in [RFC 9700, 4](https://www.rfc-editor.org/rfc/rfc9700#section-4).
@Suite struct RFC9700TokenTests {
    // MARK: 4.10 Misuse of stolen access tokens

    @Test func `4.10.1: a DPoP-bound access token is useless without its key`() async throws {
        let app = try await RelyingParty()
        let key = DPoPKey()
        let tokens = try await app.signIn(dpopKey: key)
        // A thief has the text, which does not show that the token is sender-constrained.
        let stolen = try AccessToken(tokens.tokens.accessToken.unredacted)
        for thief in [nil, DPoPKey()] {
            let error = await #expect(throws: OpenIDError.self) {
                try await app.provider.userInfo(with: stolen, of: nil, dpopKey: thief)
            }
            #expect(error == OpenIDError(.userInfo, .unauthorized))
        }
        #expect(try await app.userInfo(tokens, dpopKey: key).subject == "248289761001")
    }

    @Test func `4.10.2: the resource is sent with the request and with the code`() async throws {
        let app = try await RelyingParty(configure: { $0.accessTokenFormat = .jwt })
        var parameters = AuthorizationParameters()
        parameters.resources = ["https://api.example"]
        let tokens = try await app.signIn(parameters).tokens
        #expect(try UnverifiedJWT(tokens.accessToken.unredacted).claims.audience == ["https://api.example"])
        #expect(try app.onlyRequest(at: .token).formValue("resource") == "https://api.example")
    }

    // MARK: 4.14 Refresh tokens that are used once

    /// A kept connection that has ended lets an HTTP client send a request a second time.
    @Test func `4.14: a code, a refresh token and a revocation reach the provider at most once`() async throws {
        let carried = Mutex<ScriptedTransport?>(nil)
        let app = try await RelyingParty(through: { server in
            let transport = ScriptedTransport { try await server.send($0) }
            carried.withLock { $0 = transport }
            return transport
        })
        let tokens = try await app.refreshed(try await app.signIn(usesPushedAuthorizationRequest: true))
        try await app.provider.revoke(try #require(tokens.tokens.refreshToken))
        let requests = try #require(carried.withLock { $0 }).requests
        let posts = requests.filter { $0.head.method == .post }
        #expect(posts.map { $0.head.path } == ["/par", "/token", "/token", "/revoke"])
        #expect(posts.allSatisfy { $0.sendsOnce })
        #expect(requests.allSatisfy { $0.sendsOnce == ($0.head.method == .post) })
    }

    // MARK: 4.12 Redirects that take the form along

    @Test(arguments: [301, 302, 303, 307, 308])
    func `4.12: a code is sent once and does not follow a redirect of the token endpoint`(status: Int)
        async throws
    {
        let app = try await RelyingParty()
        app.server.inject(.redirect(to: "https://evil.example/token", status: status, at: .token))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.token, .redirected))
        #expect(app.server.requests(at: .token).count == 1)
        #expect(app.contactedOnlyProvider)
        #expect(try await app.signIn().idToken != nil)
    }

    /// Not even to the provider itself: a form at a wrong page would end up in its logs.
    @Test func `4.12: a redirect within the provider is not followed either`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.redirect(to: "https://provider.example/api/token", at: .token))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == OpenIDError(.token, .redirected))
        #expect(app.server.requests(at: .api).isEmpty)
    }

    @Test(arguments: [InProcessProvider.Endpoint.userInfo, .revocation, .jwks, .deviceAuthorization, .registration])
    func `4.12: a redirect of any other endpoint is not followed`(endpoint: InProcessProvider.Endpoint) async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        app.server.inject(.redirect(to: "https://evil.example/", at: endpoint))
        let before = app.server.requests(at: endpoint).count
        switch endpoint {
        case .userInfo:
            await #expect(throws: OpenIDError(.userInfo, .redirected)) { try await app.userInfo(tokens) }
        case .revocation:
            await #expect(throws: OpenIDError(.revocation, .redirected)) {
                try await app.provider.revoke(tokens.tokens.accessToken)
            }
        case .deviceAuthorization:
            await #expect(throws: OpenIDError(.deviceAuthorization, .redirected)) {
                try await app.provider.deviceAuthorization(AuthorizationParameters())
            }
        case .registration:
            await #expect(throws: OpenIDError(.registration, .redirected)) {
                try await OpenIDClient.register(
                    ClientMetadata(redirectURIs: [RelyingParty.redirectURI]),
                    at: app.provider.metadata,
                    settings: app.provider.settings
                )
            }
        default:
            app.clock.advance(by: .seconds(86_400))
            await #expect(throws: OpenIDError(.token, .idToken(IDTokenError(.keysUnavailable)))) {
                try await app.signIn()
            }
        }
        #expect(app.server.requests(at: endpoint).count == before + 1)
        #expect(app.contactedOnlyProvider)
    }

    // MARK: 4.13 Intermediaries

    /// A proxy's page is not a token response, whatever its status.
    @Test(arguments: [200, 203, 400, 403, 502])
    func `4.13: an HTML page instead of tokens is an error`(status: Int) async throws {
        let app = try await RelyingParty()
        app.server.inject(.html(status: status, at: .token))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        let expected: OpenIDError.Code =
            status < 300 ? .malformedResponse : status < 500 ? .refused : .serverFailed
        #expect(error == OpenIDError(.token, expected))
        #expect(error?.oauthCode == nil)
    }

    // MARK: 4.14 Refresh tokens

    @Test func `4.14: a refresh token is rotated at each use, and the new one is used next`() async throws {
        let app = try await RelyingParty()
        var tokens = try await app.signIn()
        var seen = [try #require(tokens.tokens.refreshToken?.unredacted)]
        for _ in 0..<3 {
            app.clock.advance(by: .seconds(300))
            tokens = try await app.refreshed(tokens)
            seen.append(try #require(tokens.tokens.refreshToken?.unredacted))
        }
        #expect(Set(seen).count == 4)
        let sent = app.server.requests(at: .token).compactMap { $0.formValue("refresh_token") }
        #expect(sent == Array(seen.dropLast()))
        #expect(app.server.sessionsEndedByReuse == 0)
    }

    @Test func `4.14: the reuse of an old refresh token ends the session for thief and owner`() async throws {
        let app = try await RelyingParty()
        let stolen = try await app.signIn()
        let owned = try await app.refreshed(stolen)
        app.clock.advance(by: .seconds(11))
        for tokens in [stolen, owned] {
            let error = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
            #expect(error == OpenIDError(.token, .refused))
            #expect(error?.oauthCode == .invalidGrant)
        }
        #expect(app.server.sessionsEndedByReuse == 1)
    }

    @Test func `4.14: a DPoP-bound refresh token is useless without its key`() async throws {
        let app = try await RelyingParty()
        let key = DPoPKey()
        let tokens = try await app.signIn(dpopKey: key)
        let error = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(try await app.refreshed(tokens, dpopKey: key).tokens.refreshToken != nil)
    }

    @Test func `4.14: a refresh token is requested only by scope`() async throws {
        let app = try await RelyingParty()
        #expect(try await app.signIn(AuthorizationParameters(scope: "openid")).tokens.refreshToken == nil)
        #expect(try await app.signIn().tokens.refreshToken != nil)
    }

    // MARK: Secrets that errors repeat

    /// Longer than the shown part of a message: truncation must not leave a part of the secret.
    @Test(arguments: ["error", "error_description"])
    func `an error does not repeat the sent token or a part of it`(member: String) async throws {
        let app = try await RelyingParty()
        let secret = "r-" + String(repeating: "0123456789", count: 70)
        app.server.inject(
            .body(#"{"error":"invalid_request","\#(member)":"Token \#(secret) is wrong"}"#, status: 400, at: .token)
        )
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.refreshed(
                with: try RefreshToken(secret),
                previous: nil,
                dpopKey: nil,
                sendGuard: { true }
            )
        }
        let text = "\(try #require(error)) \(error?.oauthCode?.rawValue ?? "") \(error?.serverMessage ?? "")"
        #expect(!text.contains("r-01"))
    }

    @Test(arguments: [
        "Token r-0123+456/789 is wrong", "Token r-0123%2B456%2F789 is wrong", #"Token r-0\u200B123+456/789 is wrong"#,
    ])
    func `an error does not repeat the sent token, as it is or percent-encoded`(message: String) async throws {
        let app = try await RelyingParty()
        for (message, shown) in [(message, nil), ("The token is wrong", "The token is wrong")] {
            let body = #"{"error":"invalid_request","error_description":"\#(message)"}"#
            app.server.inject(.body(body, status: 400, at: .token))
            let error = await #expect(throws: OpenIDError.self) {
                _ = try await app.provider.refreshed(
                    with: try RefreshToken("r-0123+456/789"),
                    previous: nil,
                    dpopKey: nil,
                    sendGuard: { true }
                )
            }
            #expect(error?.oauthCode == .invalidRequest)
            #expect(error?.serverMessage == shown)
        }
    }

    @Test(arguments: [ClientAuthentication.Method.basic, .post])
    func `an error does not repeat the client secret`(method: ClientAuthentication.Method) async throws {
        let secret = "secret-of-the-client"
        let client = OpenIDClient.confidential(id: "confidential", secret: try ClientSecret(secret), method: method)
        let app = try await RelyingParty(client)
        let quoting = #"{"error":"invalid_client","error_description":"\#(secret) is not right"}"#
        for endpoint in [InProcessProvider.Endpoint.token, .deviceAuthorization, .pushedAuthorizationRequest] {
            app.server.inject(.body(quoting, status: 401, at: endpoint))
        }
        let errors = [
            await #expect(throws: OpenIDError.self) { try await app.refreshedWithAnything() },
            await #expect(throws: OpenIDError.self) {
                try await app.provider.deviceAuthorization(AuthorizationParameters())
            },
            await #expect(throws: OpenIDError.self) {
                try await app.provider.authorizationURL(for: app.request(), pushed: true)
            },
        ]
        for error in errors {
            #expect(error?.oauthCode == .invalidClient)
            #expect(error?.serverMessage == nil)
        }
    }
}

extension RelyingParty {
    fileprivate func refreshedWithAnything() async throws {
        let token = try RefreshToken("anything")
        _ = try await provider.refreshed(with: token, previous: nil, dpopKey: nil, sendGuard: { true })
    }
}
