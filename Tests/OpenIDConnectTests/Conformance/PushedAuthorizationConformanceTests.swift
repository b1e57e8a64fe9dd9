// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// Pushed authorization requests.
///
/// [RFC 9126](https://www.rfc-editor.org/rfc/rfc9126).
@Suite struct PushedAuthorizationConformanceTests {
    @Test func `the browser's URL contains only the client ID and the request URI`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn(usesPushedAuthorizationRequest: true)
        #expect(tokens.idToken?.subject == "248289761001")
        let browser = try app.onlyRequest(at: .authorization)
        #expect(browser.query.map(\.name) == ["client_id", "request_uri"])
        let pushed = try app.onlyRequest(at: .pushedAuthorizationRequest)
        #expect(pushed.formValue("nonce") == tokens.idToken?.claims["nonce"]?.string)
        #expect(pushed.formValue("code_challenge_method") == "S256")
        #expect(pushed.formValue("request_uri") == nil)
        #expect(pushed.form.count { $0.name == "client_id" } == 1)
    }

    @Test func `the request is pushed if the provider requires it`() async throws {
        let app = try await RelyingParty(configure: { $0.requiresPushedAuthorizationRequests = true })
        #expect(try await app.signIn().idToken != nil)
        #expect(app.server.count(at: .pushedAuthorizationRequest) == 1)
        #expect(throws: OpenIDError(.pushedAuthorization, .invalidRequest)) { try app.request().url() }
    }

    @Test func `nothing is pushed if neither app nor provider requires it`() async throws {
        let app = try await RelyingParty()
        _ = try await app.signIn()
        #expect(app.server.count(at: .pushedAuthorizationRequest) == 0)
    }

    /// A fallback would put the parameters into the browser that the push was to keep out of it.
    @Test func `the sign-in fails before the browser opens if the provider has no endpoint`() async throws {
        let app = try await RelyingParty(fault: {
            $0.inject(.responseMember("pushed_authorization_request_endpoint", nil, at: .discovery))
        })
        let error = await #expect(throws: OpenIDError.self) {
            try await app.signIn(usesPushedAuthorizationRequest: true)
        }
        #expect(error == OpenIDError(.pushedAuthorization, .unsupported))
        #expect(app.server.requests(at: .authorization).isEmpty)
        #expect(try await app.signIn().idToken != nil)
    }

    @Test(
        arguments: [
            (.error("invalid_request", at: .pushedAuthorizationRequest), OpenIDError(.pushedAuthorization, .refused)),
            (.status(503, at: .pushedAuthorizationRequest), OpenIDError(.pushedAuthorization, .serverFailed)),
            (.dropResponse(at: .pushedAuthorizationRequest), OpenIDError(.pushedAuthorization, .unreachable)),
            (.html(at: .pushedAuthorizationRequest), OpenIDError(.pushedAuthorization, .malformedResponse)),
            (
                .responseMember("request_uri", nil, at: .pushedAuthorizationRequest),
                OpenIDError(.pushedAuthorization, .malformedResponse)
            ),
            (
                .responseMember("request_uri", .string("a b"), at: .pushedAuthorizationRequest),
                OpenIDError(.pushedAuthorization, .malformedResponse)
            ),
            (
                .responseMember("request_uri", .string("a\u{1B}[2J"), at: .pushedAuthorizationRequest),
                OpenIDError(.pushedAuthorization, .malformedResponse)
            ),
            (
                .redirect(to: "https://evil.example/par", at: .pushedAuthorizationRequest),
                OpenIDError(.pushedAuthorization, .redirected)
            ),
        ] as [(InProcessProvider.Fault, OpenIDError)]
    )
    func `a failed push ends the sign-in before the browser opens`(
        fault: InProcessProvider.Fault,
        code: OpenIDError
    ) async throws {
        let app = try await RelyingParty()
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) {
            try await app.signIn(usesPushedAuthorizationRequest: true)
        }
        #expect(error == code)
        #expect(app.server.requests(at: .authorization).isEmpty)
        #expect(app.server.requests(at: .pushedAuthorizationRequest).count == 1)
        #expect(app.contactedOnlyProvider)
        #expect(try await app.signIn(usesPushedAuthorizationRequest: true).idToken != nil)
    }

    /// RFC 9126, 2.2: the provider chooses the URI, and the client must not interpret it.
    @Test(arguments: [
        "urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c", "urn:example:a%2Fb%20c%3D%26",
        "https://provider.example/requests/1?a=b&c=d%2B%25#f", "urn:x:;,/?:@&=+$!*'()#[]~-._",
        "tag:a+b@example.com,2026:%F0%9F%94%91",
        "urn:example:" + String(repeating: "a%20", count: 1_500),
    ])
    func `any request URI is returned to the provider unchanged`(uri: String) async throws {
        let app = try await RelyingParty()
        app.server.inject(.responseMember("request_uri", .string(uri), at: .pushedAuthorizationRequest))
        let url = try await app.provider.authorizationURL(for: app.request(), pushed: true)
        let query = try #require(FormEncoding.decode(String(url.split(separator: "?", maxSplits: 1)[1])))
        #expect(query.map(\.0) == ["client_id", "request_uri"])
        #expect(query.last?.1 == uri)
    }

    /// RFC 9126, 2.2: a URI with characters that end a query must stay one parameter.
    @Test func `a request URI with reserved characters can't add parameters to the URL`() async throws {
        let app = try await RelyingParty()
        app.server.inject(
            .responseMember("request_uri", .string("urn:x&redirect_uri=evil#f"), at: .pushedAuthorizationRequest)
        )
        let url = try await app.provider.authorizationURL(for: app.request(), pushed: true)
        #expect(!url.contains("#"))
        _ = app.server.authorize(url)
        #expect(try app.onlyRequest(at: .authorization).query.map(\.name) == ["client_id", "request_uri"])
    }
}
