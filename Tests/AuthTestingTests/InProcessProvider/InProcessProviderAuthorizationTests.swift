// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@Suite struct InProcessProviderAuthorizationTests {
    @Test func `the callback contains the code, the state and the issuer`() throws {
        let client = HandmadeClient()
        let callback = client.provider.authorize(client.authorizationURL())
        #expect(callback.redirectURL?.hasPrefix(HandmadeClient.redirectURI + "?code=") == true)
        #expect(callback.parameter("state") == "the state")
        #expect(callback.parameter("iss") == "https://provider.example")
        #expect(callback.parameter("error") == nil)
    }

    @Test(arguments: [
        ["client_id": "stranger"], ["client_id": nil], ["redirect_uri": nil],
        ["redirect_uri": "http://127.0.0.1:1/other"], ["redirect_uri": "http://127.0.0.1.evil.example/callback"],
        ["redirect_uri": "http://127.0.0.1:1@evil.example/callback"], ["redirect_uri": "recipe://callback/more"],
        ["redirect_uri": "https://evil.example/callback"],
    ])
    func `an unknown client or redirect URI gets an error page instead of a redirect`(changes: [String: String?]) {
        let client = HandmadeClient()
        let result = client.provider.authorize(client.authorizationURL(changes))
        guard case .page(let status, _) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(status == 400)
    }

    @Test(arguments: [
        "http://127.0.0.1:1/callback", "http://127.0.0.1/callback", "http://[::1]:65535/callback",
        "http://localhost:8080/callback", "recipe://callback",
    ])
    func `a loopback redirect URI matches with any port, and a custom scheme matches exactly`(uri: String) {
        let client = HandmadeClient()
        let result = client.provider.authorize(client.authorizationURL(["redirect_uri": uri]))
        #expect(result.redirectURL?.hasPrefix(uri + "?code=") == true)
    }

    @Test(arguments: [
        (["code_challenge": nil], "invalid_request"), (["code_challenge_method": nil], "invalid_request"),
        (["code_challenge_method": "plain"], "invalid_request"), (["code_challenge": "short"], "invalid_request"),
        (["response_type": "token"], "unsupported_response_type"), (["response_type": nil], "invalid_request"),
        (["scope": "openid admin"], "invalid_scope"), (["request": "a.b.c"], "request_not_supported"),
        (["prompt": "none login"], "invalid_request"), (["max_age": "-1"], "invalid_request"),
        (["resource": "no-uri"], "invalid_target"),
    ])
    func `an invalid request is reported to the callback`(changes: [String: String?], code: String) {
        let client = HandmadeClient()
        let callback = client.provider.authorize(client.authorizationURL(changes))
        #expect(callback.parameter("error") == code)
        #expect(callback.parameter("state") == "the state")
        #expect(callback.parameter("iss") == "https://provider.example")
        #expect(callback.parameter("code") == nil)
    }

    @Test func `a request with a repeated parameter is refused`() {
        let client = HandmadeClient()
        let callback = client.provider.authorize(client.authorizationURL() + "&nonce=other")
        #expect(callback.parameter("error") == "invalid_request")
    }

    @Test(arguments: [(nil, "access_denied"), ("none", "login_required")])
    func `no code is issued without a user`(prompt: String?, code: String) {
        let client = HandmadeClient { $0.user = nil }
        let callback = client.provider.authorize(client.authorizationURL(["prompt": prompt]))
        #expect(callback.parameter("error") == code)
    }

    @Test func `a request to another host is unreachable`() {
        #expect(HandmadeClient().provider.authorize("https://other.example/authorize") == .unreachable)
    }

    // MARK: Pushed authorization requests

    private static func push(_ client: HandmadeClient, _ more: [String: String] = [:]) async throws -> HandmadeResponse
    {
        let form = client.authorizationParameters().merging(more) { $1 }
        return try await client.post(.pushedAuthorizationRequest, form)
    }

    private static func open(_ client: HandmadeClient, _ pushed: HandmadeResponse) -> InProcessProvider.Navigation {
        let uri = pushed["request_uri"]?.string ?? ""
        return client.provider.authorize(
            client.provider.url(of: .authorization) + "?client_id=\(client.id)&request_uri=\(uri)"
        )
    }

    @Test func `a pushed request can be used once`() async throws {
        let client = HandmadeClient { $0.requiresPushedAuthorizationRequests = true }
        let pushed = try await Self.push(client)
        #expect(pushed.status == 201)
        #expect(pushed["expires_in"] == .integer(60))
        let callback = Self.open(client, pushed)
        #expect(callback.parameter("state") == "the state")
        let code = try #require(callback.parameter("code"))
        #expect(try await client.exchange(code).status == 200)
        #expect(Self.open(client, pushed).redirectURL == nil)
    }

    @Test func `a pushed request expires`() async throws {
        let client = HandmadeClient()
        let pushed = try await Self.push(client)
        client.clock.advance(by: .seconds(60))
        #expect(Self.open(client, pushed).redirectURL == nil)
    }

    @Test func `a request that was not pushed is refused if the provider requires pushed requests`() {
        let client = HandmadeClient { $0.requiresPushedAuthorizationRequests = true }
        #expect(client.provider.authorize(client.authorizationURL()).redirectURL == nil)
    }

    @Test func `an invalid request is refused when it is pushed`() async throws {
        let client = HandmadeClient()
        #expect(try await Self.push(client, ["request_uri": "urn:other"]).error == "invalid_request")
        let answer = try await client.post(.pushedAuthorizationRequest, ["client_id": client.id])
        #expect(answer.error == "invalid_request")
    }
}
