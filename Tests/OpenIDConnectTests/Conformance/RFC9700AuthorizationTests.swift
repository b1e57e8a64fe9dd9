// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The attacks through the browser, numbered as in
/// [RFC 9700, 4](https://www.rfc-editor.org/rfc/rfc9700#section-4).
@Suite struct RFC9700AuthorizationTests {
    private static func query(_ url: String) throws -> String {
        String(try #require(url.split(separator: "?", maxSplits: 1).last))
    }

    // MARK: 4.1 Insufficient redirect URI validation

    @Test func `4.1: an unregistered redirect URI gets neither code nor error`() async throws {
        let app = try await RelyingParty()
        let request = app.request(redirectURI: "https://evil.example/callback")
        let navigation = app.server.authorize(try await app.provider.authorizationURL(for: request))
        #expect(navigation.redirectURL == nil)
        #expect(app.server.issuedSecrets.isEmpty)
    }

    @Test(arguments: [
        "http://127.0.0.1:40123/callback/x", "http://127.0.0.1:40124/callback", "http://localhost:40123/callback",
        "http://127.0.0.1:40123/Callback", "https://127.0.0.1:40123/callback", "http://evil.example/callback",
        "http://127.0.0.1:40123@evil.example/callback",
    ])
    func `4.1: a response at another redirect URI than the request's is refused`(address: String) async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let callback = try await app.callback(for: request)
        let elsewhere = address + "?" + (try Self.query(callback))
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: elsewhere, to: request)
        }
        #expect(error == OpenIDError(.authorization, .redirectMismatch))
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
    }

    // MARK: 4.2 and 4.3 Leaks through the browser

    @Test func `4.2: no request outside the browser contains a Referer, the state or the nonce`() async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let callback = try await app.callback(for: request)
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        let tokens = try await app.provider.tokens(for: response, to: request)
        _ = try await app.userInfo(tokens)
        _ = try await app.refreshed(tokens)
        let referer = try #require(HTTPField.Name("Referer"))
        for sent in app.server.requests where sent.endpoint != .authorization {
            #expect(sent.fields[referer] == nil)
            let text = sent.path + sent.fields.map(\.value).joined() + String(decoding: sent.body, as: UTF8.self)
            #expect(!text.contains(request.state.unredacted))
            #expect(!text.contains(request.nonce))
            #expect(sent.query.isEmpty)
        }
    }

    @Test func `4.3: the browser's history contains no token, verifier or secret`() async throws {
        let app = try await RelyingParty(
            .confidential(id: "web", secret: ClientSecret("the-client-secret")),
            configure: { $0.clients = [.confidential(id: "web", secret: "the-client-secret")] }
        )
        let request = app.request()
        let url = try await app.provider.authorizationURL(for: request)
        let callback = try #require(app.server.authorize(url).redirectURL)
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        let tokens = try await app.provider.tokens(for: response, to: request).tokens
        let secrets = [
            tokens.accessToken.unredacted, try #require(tokens.refreshToken?.unredacted),
            try #require(tokens.idToken?.unredacted), request.codeVerifier.unredacted, "the-client-secret",
        ]
        for secret in secrets {
            #expect(!url.contains(secret))
            #expect(!callback.contains(secret))
        }
    }

    // MARK: 4.4 Mix-up

    @Test func `4.4: a code of the honest provider never reaches the attacker's provider`() async throws {
        let honest = try await RelyingParty(issuer: "https://honest.example")
        let evil = try await RelyingParty(issuer: "https://evil.example", clock: honest.clock)
        let request = evil.request()
        // The chosen provider redirects the browser to the other one.
        let url = try await evil.provider.authorizationURL(for: request)
        let led = url.replacing("https://evil.example", with: "https://honest.example")
        let callback = try #require(honest.server.authorize(led).redirectURL)
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: callback, to: request)
        }
        #expect(error == OpenIDError(.authorization, .issuerMismatch))
        #expect(evil.server.requests(at: .token).isEmpty)
        #expect(try await evil.signIn().idToken?.claims.issuer == "https://evil.example")
        #expect(try await honest.signIn().idToken?.claims.issuer == "https://honest.example")
    }

    // MARK: 4.5 Code injection

    @Test func `4.5: the code of another sign-in is refused by PKCE`() async throws {
        let app = try await RelyingParty()
        let victim = try #require(app.server.authorize(try app.request().url()).parameter("code"))
        let request = app.request()
        let query = "code=\(victim)&state=\(request.state.unredacted)&iss=https%3A%2F%2Fprovider.example"
        let response = try AuthorizationResponse(query: query, to: request)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: request)
        }
        #expect(error == OpenIDError(.token, .refused))
        #expect(error?.oauthCode == .invalidGrant)
        #expect(app.server.signInCount == 0)
    }

    /// The provider does not compare the verifier; the nonce is the last defence.
    @Test func `4.5: the nonce check refuses the code if the provider ignores PKCE`() async throws {
        let victim = CodeVerifier()
        let app = try await RelyingParty(through: { server in
            ChangedTransport(
                base: server,
                changeRequest: { request in
                    guard request.path == InProcessProvider.Endpoint.token.path else { return }
                    request.changeForm { form in
                        form.map { $0.0 == "code_verifier" ? ($0.0, victim.unredacted) : $0 }
                    }
                }
            )
        })
        func request(_ verifier: CodeVerifier) -> AuthorizationRequest {
            AuthorizationRequest(
                provider: app.provider.metadata,
                clientID: app.provider.client.id,
                redirectURI: RelyingParty.redirectURI,
                parameters: AuthorizationParameters(),
                nonce: Nonce().unredacted,
                dpopKey: nil,
                state: OAuthState(),
                codeVerifier: verifier
            )
        }
        let (stolen, own) = (request(victim), request(CodeVerifier()))
        let code = try #require(app.server.authorize(try stolen.url()).parameter("code"))
        let query = "code=\(code)&state=\(own.state.unredacted)&iss=https%3A%2F%2Fprovider.example"
        let response = try AuthorizationResponse(query: query, to: own)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: own)
        }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.nonceMismatch))
        let honest = request(victim)
        #expect(try await app.provider.tokens(for: try await app.response(to: honest), to: honest).idToken != nil)
    }

    // MARK: 4.6 Access token injection

    @Test func `4.6: a token in the callback is ignored, and a foreign one in the response is refused`() async throws {
        let app = try await RelyingParty()
        let victim = try await app.signIn().tokens.accessToken.unredacted
        app.server.inject(.callbackParameter("access_token", victim))
        #expect(try await app.signIn().tokens.accessToken.unredacted != victim)
        app.server.inject(.responseMember("access_token", .string(victim)))
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error?.underlying as? IDTokenError == IDTokenError(.accessTokenHashMismatch))
    }

    // MARK: 4.7 Cross-site request forgery

    @Test func `4.7: a response to a request that the app did not send is refused`() async throws {
        let app = try await RelyingParty()
        let attacker = try await app.callback(for: app.request())
        let request = app.request()
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: attacker, to: request)
        }
        #expect(error == OpenIDError(.authorization, .stateMismatch))
        #expect(app.server.requests(at: .token).isEmpty)
        let own = try AuthorizationResponse(redirectedTo: try await app.callback(for: request), to: request)
        #expect(try await app.provider.tokens(for: own, to: request).idToken != nil)
    }

    // MARK: 4.8 PKCE downgrade

    /// An attacker who removes the challenge from the URL gets no code.
    @Test(arguments: [["code_challenge"], ["code_challenge_method"], ["code_challenge", "code_challenge_method"]])
    func `4.8: a request without its code challenge gets no code`(names: [String]) async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let url = try await app.provider.authorizationURL(for: request)
        let parts = url.split(separator: "?", maxSplits: 1)
        let items = try #require(FormEncoding.decode(String(parts[1])))
        let stripped = FormEncoding.encode(items.filter { !names.contains($0.0) })
        let callback = try #require(app.server.authorize("\(parts[0])?\(stripped)").redirectURL)
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: callback, to: request)
        }
        #expect(error == OpenIDError(.authorization, .refused))
        #expect(error?.oauthCode == .invalidRequest)
        #expect(app.server.requests(at: .token).isEmpty)
        #expect(try await app.signIn().idToken != nil)
    }

    /// The provider forgets the challenge.
    ///
    /// The verifier is sent all the same, so that a provider that follows RFC 9700, 2.1.1 refuses it.
    @Test func `4.8: the verifier is always sent, and a code for another challenge is refused`() async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let other = CodeVerifier().codeChallenge
        let changed = try request.url().replacing(request.codeVerifier.codeChallenge, with: other)
        let callback = try #require(app.server.authorize(changed).redirectURL)
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: request)
        }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(try app.onlyRequest(at: .token).formValue("code_verifier") == request.codeVerifier.unredacted)
    }
}
