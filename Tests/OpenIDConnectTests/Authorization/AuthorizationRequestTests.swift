// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationRequestTests {
    @Test func `the authorization URL requests a code with PKCE, state and nonce`() async throws {
        let request = try await Provider.request()
        let parts = try request.url().split(separator: "?")
        #expect(parts.first == "https://provider.example/authorize")
        let items = try #require(FormEncoding.decode(String(parts[1])))
        #expect(
            Dictionary(uniqueKeysWithValues: items) == [
                "response_type": "code", "client_id": "client & co", "redirect_uri": "http://127.0.0.1:1/callback",
                "scope": "openid profile email offline_access", "prompt": "consent", "state": request.state.unredacted,
                "nonce": "public-1-nonce",
                "code_challenge": request.codeVerifier.codeChallenge, "code_challenge_method": "S256",
            ]
        )
    }

    @Test func `the authorization URL contains exactly the parameters of the app`() async throws {
        var parameters = AuthorizationParameters(scope: "openid a")
        parameters.prompt = [.login, .consent]
        parameters.loginHint = "ada@example.com"
        parameters.maximumAge = .seconds(300)
        parameters.acrValues = ["gold", "silver"]
        parameters.uiLocales = ["de", "en"]
        parameters.claims = .object(["id_token": .object(["acr": .null])])
        parameters.resources = ["https://a.example", "https://b.example"]
        parameters.additionalParameters = ["audience": "api", "display": "page"]
        let request = try await Provider.request(parameters: parameters)
        let items = try #require(FormEncoding.decode(String(try request.url().split(separator: "?")[1])))
        let own: Set = [
            "response_type", "client_id", "redirect_uri", "state", "nonce", "code_challenge", "code_challenge_method",
        ]
        #expect(
            items.filter { !own.contains($0.0) }.map { "\($0.0)=\($0.1)" } == [
                "scope=openid a", "prompt=login consent", "login_hint=ada@example.com", "max_age=300",
                "acr_values=gold silver", "ui_locales=de en", #"claims={"id_token":{"acr":null}}"#,
                "resource=https://a.example", "resource=https://b.example", "audience=api", "display=page",
            ]
        )
    }

    @Test(arguments: [
        "state", "nonce", "code_challenge", "code_challenge_method", "redirect_uri", "request_uri", "scope", "",
    ])
    func `an additional parameter can't replace a reserved parameter`(name: String) async throws {
        var parameters = AuthorizationParameters()
        parameters.additionalParameters = [name: "x"]
        let request = try await Provider.request(parameters: parameters)
        let error = #expect(throws: OpenIDError.self) { try request.url() }
        #expect(error == OpenIDError(.authorization, .invalidRequest))
    }

    /// OpenID Connect Core 1.0, 3.1.2.1.
    @Test func `a scope without openid is refused`() async throws {
        let request = try await Provider.request(parameters: AuthorizationParameters(scope: "profile"))
        #expect(throws: OpenIDError(.authorization, .invalidRequest)) { try request.url() }
    }

    @Test(arguments: ["openid,profile", "openid;profile", "profile+openid", "openid%20email", "openid|email"])
    func `another separator of scopes than the space is named`(scope: String) async throws {
        let request = try await Provider.request(parameters: AuthorizationParameters(scope: Scope(scope)))
        let error = #expect(throws: OpenIDError(.authorization, .scopeSeparator)) { try request.url() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.description == "The requested scopes must be separated by spaces alone.")
    }

    @Test func `an endpoint's own query is kept`() async throws {
        let document = Provider.document.replacing("/authorize", with: "/authorize?tenant=a")
        let request = try await Provider.request(document: document)
        #expect(try request.url().hasPrefix("https://provider.example/authorize?tenant=a&response_type=code&"))
    }

    @Test func `the code verifier is not in the authorization URL`() async throws {
        let request = try await Provider.request()
        #expect(!(try request.url()).contains(request.codeVerifier.unredacted))
    }

    @Test func `two requests share neither state nor verifier`() async throws {
        let one = try await Provider.request()
        let other = try await Provider.request()
        #expect(one.state != other.state)
        #expect(one.codeVerifier != other.codeVerifier)
    }
}
