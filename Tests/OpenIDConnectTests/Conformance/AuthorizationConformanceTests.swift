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

    // MARK: state

    @Test(arguments: ["another-state-of-twenty-two-characters", ""])
    func `a wrong state is refused`(state: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal { $0.inject(.callbackParameter("state", state)) }
        #expect(refusal == OpenIDError(.authorization, .stateMismatch))
    }

    @Test func `a missing state is refused`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal { $0.inject(.callbackParameter("state", nil)) }
        #expect(refusal == OpenIDError(.authorization, .stateMismatch))
    }

    // MARK: iss of the response

    @Test(arguments: ["https://evil.example", "https://provider.example/", "HTTPS://provider.example", ""])
    func `a response of another issuer is refused`(issuer: String) async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal { $0.inject(.callbackParameter("iss", issuer)) }
        #expect(refusal == OpenIDError(.authorization, .issuerMismatch))
    }

    /// RFC 9207, 2.4: a response without the promised issuer may be another provider's.
    @Test func `a response without an issuer is refused only if the provider promised one`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal { $0.inject(.callbackParameter("iss", nil)) }
        #expect(refusal == OpenIDError(.authorization, .issuerMismatch))
        let silent = try await RelyingParty(fault: {
            $0.inject(.responseMember("authorization_response_iss_parameter_supported", nil, at: .discovery))
        })
        silent.server.inject(.callbackParameter("iss", nil))
        #expect(try await silent.signIn().idToken != nil)
        let wrong = try await silent.callbackRefusal {
            $0.inject(.callbackParameter("iss", "https://evil.example"))
        }
        #expect(wrong == OpenIDError(.authorization, .issuerMismatch))
    }

    // MARK: The form of the response

    @Test(arguments: ["code", "state", "iss"])
    func `a duplicate parameter is refused, even if both values are the same`(name: String) async throws {
        let app = try await RelyingParty()
        let same = try await app.callbackRefusal { $0.inject(.duplicatingCallbackParameter(name)) }
        #expect(same == OpenIDError(.authorization, .malformedResponse))
        let other = try await app.callbackRefusal {
            $0.inject(.duplicatingCallbackParameter(name, second: "another"))
        }
        #expect(other == OpenIDError(.authorization, .malformedResponse))
    }

    @Test func `a response without a code is refused`() async throws {
        let app = try await RelyingParty()
        let missing = try await app.callbackRefusal { $0.inject(.callbackParameter("code", nil)) }
        #expect(missing == OpenIDError(.authorization, .malformedResponse))
        let empty = try await app.callbackRefusal { $0.inject(.callbackParameter("code", "")) }
        #expect(empty == OpenIDError(.authorization, .malformedResponse))
    }

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

    @Test func `access_denied is a cancellation`() async throws {
        let app = try await RelyingParty()
        let refusal = try await app.callbackRefusal { $0.inject(.error("access_denied", at: .authorization)) }
        #expect(refusal == OpenIDError(.authorization, .cancelled))
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

    /// An error must carry the state as well, or any page could end a sign-in.
    @Test func `an error with the state of another sign-in is refused`() async throws {
        let app = try await RelyingParty()
        let request = app.request()
        for query in ["error=access_denied", "error=access_denied&state=another-state-of-enough-characters"] {
            let error = #expect(throws: OpenIDError.self) {
                try AuthorizationResponse(query: query, to: request)
            }
            #expect(error == OpenIDError(.authorization, .stateMismatch))
        }
        let own = "error=access_denied&state=\(request.state.unredacted)"
        let error = #expect(throws: OpenIDError.self) {
            try AuthorizationResponse(query: own, to: request)
        }
        #expect(error == OpenIDError(.authorization, .cancelled))
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
