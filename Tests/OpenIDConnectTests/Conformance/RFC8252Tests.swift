// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import HTTPTypes
import Testing

@testable import OpenIDConnect

/// The clauses of [RFC 8252](https://www.rfc-editor.org/rfc/rfc8252) that don't concern the loopback listener.
@Suite struct RFC8252Tests {
    /// A private-use redirect URI as in 7.1: one slash, since there is no authority.
    private static let scheme = "com.example.app:/oauth2/callback"

    private static func app(_ redirectURI: String = scheme) async throws -> RelyingParty {
        try await RelyingParty(configure: {
            $0.clients = [.public(id: "native", redirectURIs: [redirectURI])]
        })
    }

    private static func response(
        to request: AuthorizationRequest,
        at address: String
    ) throws -> AuthorizationResponse {
        let query = "code=c&state=\(request.state.unredacted)&iss=https%3A%2F%2Fprovider.example"
        return try AuthorizationResponse(redirectedTo: "\(address)?\(query)", to: request)
    }

    // MARK: 7.1 Private-use URI schemes

    @Test(arguments: [scheme, "recipe://callback", "com.example.app://host/Path"])
    func `7.1: a sign-in returns through the app's own scheme`(redirectURI: String) async throws {
        let app = try await Self.app(redirectURI)
        let request = app.request(redirectURI: redirectURI)
        let callback = try await app.callback(for: request)
        #expect(callback.hasPrefix(redirectURI + "?"))
        let response = try AuthorizationResponse(redirectedTo: callback, to: request)
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
        #expect(try app.onlyRequest(at: .token).formValue("redirect_uri") == redirectURI)
    }

    /// RFC 3986, 6.2.2.1: only scheme and host ignore case; RFC 8252, 8.4 requires an exact match of the rest.
    @Test(arguments: [
        ("com.example.app:/oauth2/callback", "com.example.app:/oauth2/Callback"),
        ("com.example.app:/oauth2/callback", "com.example.app:/OAuth2/callback"),
        ("com.example.app:/callback", "com.example.app:/Callback"),
        ("com.example.app:/callback", "com.example.app://callback"),
        ("com.example.app:/callback", "com.example.app:/callback/"),
        ("com.example.app:/callback", "com.example.app2:/callback"),
        ("com.example.app:/callback", "com.example:/callback"),
        ("com.example.app:callback", "com.example.app:Callback"),
        ("com.example.app://host/path", "com.example.app://host/Path"),
        ("com.example.app://host/path", "com.example.app://other/path"),
        ("com.example.app://host", "com.example.app://host.evil.example"),
        ("com.example.app://host", "com.example.app://user@host"),
        ("com.example.app://host", "com.example.app://host:80"),
    ])
    func `7.1: a response at a similar redirect URI is refused`(redirectURI: String, other: String) async throws {
        let app = try await Self.app(redirectURI)
        let request = app.request(redirectURI: redirectURI)
        let error = #expect(throws: OpenIDError.self) { try Self.response(to: request, at: other) }
        #expect(error == OpenIDError(.authorization, .redirectMismatch))
        #expect(try Self.response(to: request, at: redirectURI).code == "c")
    }

    @Test(arguments: [
        ("com.example.app:/callback", "COM.Example.App:/callback"),
        ("com.example.app://Host/path", "com.example.app://host/path"),
        ("com.example.app://host", "com.example.app://host/"),
    ])
    func `7.1: the case of scheme and host and an added slash are ignored`(redirectURI: String, same: String)
        async throws
    {
        let app = try await Self.app(redirectURI)
        let request = app.request(redirectURI: redirectURI)
        #expect(try Self.response(to: request, at: same).code == "c")
    }

    // MARK: 7.3 Loopback

    @Test(arguments: ["http://127.0.0.1:51004/callback", "http://[::1]:61023/callback"])
    func `7.3: the request may have any port, and the code exchange repeats it`(redirectURI: String) async throws {
        let app = try await RelyingParty()
        let request = app.request(redirectURI: redirectURI)
        let response = try await app.response(to: request)
        #expect(try await app.provider.tokens(for: response, to: request).idToken != nil)
        #expect(try app.onlyRequest(at: .authorization).queryValue("redirect_uri") == redirectURI)
        #expect(try app.onlyRequest(at: .token).formValue("redirect_uri") == redirectURI)
    }

    // MARK: 8 Security considerations

    /// Another app that has registered the same scheme sees the code, but has no verifier for it.
    @Test func `8.1: an intercepted code is useless without the verifier`() async throws {
        let app = try await Self.app()
        let request = app.request(redirectURI: Self.scheme)
        let response = try await app.response(to: request)
        let thief = AuthorizationRequest(
            provider: request.provider,
            clientID: request.clientID,
            redirectURI: request.redirectURI,
            parameters: request.parameters,
            nonce: request.nonce,
            dpopKey: nil,
            state: request.state,
            codeVerifier: CodeVerifier()
        )
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: thief)
        }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(app.server.signInCount == 0)
    }

    @Test func `8.2: the request asks for a code, and a token in a fragment is refused`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        #expect(try app.onlyRequest(at: .authorization).queryValue("response_type") == "code")
        let request = app.request()
        let inFragment = RelyingParty.redirectURI + "#access_token=a&state=\(request.state.unredacted)"
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: inFragment, to: request)
        }
        #expect(error == OpenIDError(.authorization, .stateMismatch))
    }

    @Test func `8.4: an app registers itself as a native client without a secret`() async throws {
        let app = try await RelyingParty()
        let client = try await OpenIDClient.register(
            ClientMetadata(redirectURIs: [Self.scheme]),
            at: app.provider.metadata,
            settings: app.provider.settings
        )
        #expect(client.authentication == .none)
        let sent = try JSONValue.object(in: try app.onlyRequest(at: .registration).body)
        #expect(sent["application_type"]?.string == "native")
        #expect(sent["token_endpoint_auth_method"]?.string == "none")
    }

    /// 8.5 asks public clients not to send a shared secret.
    @Test func `8.5: a public client never sends a secret`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(usesPushedAuthorizationRequest: true)
        _ = try await app.refreshed(tokens)
        try await app.provider.revoke(try #require(tokens.tokens.refreshToken))
        for request in app.server.requests {
            #expect(request.fields[.authorization] == nil)
            #expect(request.formValue("client_secret") == nil)
        }
    }

    @Test func `8.9: a response to a sign-in that the app did not start is refused`() async throws {
        let app = try await Self.app()
        let request = app.request(redirectURI: Self.scheme)
        let foreign = try await app.callback(for: app.request(redirectURI: Self.scheme))
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: foreign, to: request)
        }
        #expect(error == OpenIDError(.authorization, .stateMismatch))
    }

    @Test func `8.10: the response of another authorization server is refused`() async throws {
        let app = try await Self.app()
        let other = try await RelyingParty(
            issuer: "https://other.example",
            clock: app.clock,
            configure: { $0.clients = [.public(id: "native", redirectURIs: [Self.scheme])] }
        )
        let request = app.request(redirectURI: Self.scheme)
        let url = try request.url().replacing("https://provider.example", with: "https://other.example")
        let callback = try #require(other.server.authorize(url).redirectURL)
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(redirectedTo: callback, to: request)
        }
        #expect(error == OpenIDError(.authorization, .issuerMismatch))
        #expect(app.server.requests(at: .token).isEmpty)
        #expect(other.server.requests(at: .token).isEmpty)
    }
}
