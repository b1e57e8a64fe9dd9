// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// The authorization request, and the response in the browser.
///
/// [OpenID Connect Core 1.0, 3.1.2](https://openid.net/specs/openid-connect-core-1_0.html#AuthorizationEndpoint),
/// [RFC 9207](https://www.rfc-editor.org/rfc/rfc9207).
@Suite struct AuthorizationConformanceTests {
    // MARK: The request

    @Test func `every request has its own state, nonce and S256 code challenge`() async throws {
        let app = try await RelyingParty()
        for _ in 0..<3 { _ = try await app.signIn() }
        let requests = app.server.requests(at: .authorization)
        for name in ["state", "nonce", "code_challenge"] {
            #expect(Set(requests.compactMap { $0.queryValue(name) }).count == 3, "\(name)")
        }
        #expect(requests.allSatisfy { $0.queryValue("code_challenge_method") == "S256" })
        #expect(requests.allSatisfy { $0.queryValue("response_type") == "code" })
        let verifiers = app.server.requests(at: .token).compactMap { $0.formValue("code_verifier") }
        #expect(Set(verifiers).count == 3)
        #expect(verifiers.allSatisfy { (43...128).contains($0.utf8.count) })
    }

    /// RFC 8414, 2: an omitted member means that support is unknown; PKCE is used all the same.
    @Test(arguments: [nil, .array([.string("plain")]), .array([])] as [JSONValue?])
    func `S256 is used whichever PKCE methods the provider lists`(methods: JSONValue?) async throws {
        let name = "code_challenge_methods_supported"
        let app = try await RelyingParty(fault: { server in
            server.inject(
                methods.map { InProcessProvider.Fault.responseMember(name, $0, at: .discovery) }
                    ?? .responseMember(name, nil, at: .discovery)
            )
        })
        #expect(try await app.signIn().idToken != nil)
        #expect(try app.onlyRequest(at: .authorization).queryValue("code_challenge_method") == "S256")
    }

    @Test func `the request contains exactly the scopes of the app`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        _ = try await app.signIn(AuthorizationParameters(scope: "openid"))
        #expect(
            app.server.requests(at: .authorization).map { $0.queryValue("scope") } == [
                "openid profile email offline_access", "openid",
            ]
        )
    }

    // MARK: The form of the response

    @Test func `unknown parameters are ignored`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.callbackParameter("session_state", "a.b"), .callbackParameter("id_token", "e30.e30.e30"))
        #expect(try await app.signIn().idToken?.subject == "248289761001")
    }

    // MARK: Errors

    @Test(arguments: [
        "invalid_request", "unauthorized_client", "server_error", "temporarily_unavailable", "login_required",
        "interaction_required", "consent_required", "account_selection_required", "some_error_of_its_own",
    ])
    func `an error keeps the provider's code and description`(code: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal {
            $0.inject(.error(code, description: "Why it is so.", at: .authorization))
        }
        #expect(refusal == OpenIDError(.authorization, .refused))
        #expect(refusal.oauthCode?.rawValue == code)
        #expect(refusal.serverMessage == "Why it is so.")
    }

    @Test func `a silent request without a session at the provider fails with login_required`() async throws {
        let app = try await RelyingParty()
        app.server.user = nil
        var parameters = AuthorizationParameters()
        parameters.prompt = [.none]
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn(parameters) }
        #expect(error?.oauthCode?.rawValue == "login_required")
        #expect(try app.onlyRequest(at: .authorization).queryValue("prompt") == "none")
    }

    // MARK: The code

    @Test(
        arguments: [
            (.dropResponse(at: .token), OpenIDError(.token, .unreachable)),
            (.status(503, at: .token), OpenIDError(.token, .serverFailed)),
            (.html(at: .token), OpenIDError(.token, .malformedResponse)),
            (.error("invalid_grant", at: .token), OpenIDError(.token, .refused)),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a code is sent only once, whatever the outcome`(
        fault: InProcessProvider.Fault,
        code: OpenIDError
    ) async throws {
        let app = try await RelyingParty()
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) { try await app.signIn() }
        #expect(error == code)
        #expect(app.server.requests(at: .token).count == 1)
        #expect(try await app.signIn().idToken != nil)
        let codes = app.server.requests(at: .token).compactMap { $0.formValue("code") }
        #expect(Set(codes).count == 2)
    }

    @Test func `a reused code is refused, and its tokens are revoked`() async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let response = try await app.response(to: request)
        let tokens = try await app.provider.tokens(for: response, to: request)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: request)
        }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(app.server.sessionsEndedByReuse == 1)
        let refresh = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
        #expect(refresh?.oauthCode == .invalidGrant)
    }

    @Test func `an expired code is refused`() async throws {
        let app = try await RelyingParty()
        let request = app.request()
        let response = try await app.response(to: request)
        app.clock.advance(by: .seconds(60))
        let error = await #expect(throws: OpenIDError.self) {
            try await app.provider.tokens(for: response, to: request)
        }
        #expect(error?.oauthCode == .invalidGrant)
    }
}
