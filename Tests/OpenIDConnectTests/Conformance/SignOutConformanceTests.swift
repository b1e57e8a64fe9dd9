// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import OpenIDConnect

/// RP-initiated logout and token revocation.
///
/// [OpenID Connect RP-Initiated Logout 1.0](https://openid.net/specs/openid-connect-rpinitiated-1_0.html),
/// [RFC 7009](https://www.rfc-editor.org/rfc/rfc7009).
@Suite struct SignOutConformanceTests {
    private static func query(_ url: String?) throws -> String {
        let url = try #require(url)
        return String(try #require(url.split(separator: "?", maxSplits: 1).last))
    }

    // MARK: RP-initiated logout

    @Test func `oidcc-client-test-rp-init-logout: the browser brings the hint and is redirected back`() async throws {
        let app = try await RelyingParty()
        let idToken = try #require(try await app.signIn().tokens.idToken)
        let request = try #require(
            EndSessionRequest(provider: app.provider, idToken: idToken, redirectURI: RelyingParty.redirectURI)
        )
        let answer = try Self.query(app.server.endSession(request.url).redirectURL)
        #expect(request.isCompleted(by: answer))
        let sent = try app.onlyRequest(at: .endSession)
        #expect(sent.queryValue("id_token_hint") == idToken.unredacted)
        #expect(sent.queryValue("client_id") == "native")
        #expect(sent.queryValue("post_logout_redirect_uri") == RelyingParty.redirectURI)
        #expect((sent.queryValue("state") ?? "").count >= 22)
    }

    @Test func `oidcc-client-test-rp-init-logout-no-state: a response without the state is refused`() async throws {
        let app = try await RelyingParty()
        let request = try #require(
            EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: RelyingParty.redirectURI)
        )
        let answer = try Self.query(app.server.endSession(request.url).redirectURL)
        #expect(request.isCompleted(by: answer))
        #expect(!request.isCompleted(by: ""))
        #expect(!request.isCompleted(by: "foo=bar"))
        #expect(!request.isCompleted(by: answer + "&" + answer))
    }

    @Test func `oidcc-client-test-rp-init-logout-invalid-state: another sign-out's response is refused`() async throws {
        let app = try await RelyingParty()
        let one = try #require(
            EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: RelyingParty.redirectURI)
        )
        let other = try #require(
            EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: RelyingParty.redirectURI)
        )
        let answer = try Self.query(app.server.endSession(other.url).redirectURL)
        #expect(other.isCompleted(by: answer))
        #expect(!one.isCompleted(by: answer))
    }

    @Test func `a sign-out without a redirect URI needs no state`() async throws {
        let app = try await RelyingParty()
        let request = try #require(EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: nil))
        #expect(app.server.endSession(request.url).redirectURL == nil)
        #expect(try app.onlyRequest(at: .endSession).query.map(\.name) == ["client_id"])
        #expect(!request.isCompleted(by: "state="))
    }

    @Test func `no request is made if the provider has no end session endpoint`() async throws {
        let app = try await RelyingParty(fault: {
            $0.inject(.responseMember("end_session_endpoint", nil, at: .discovery))
        })
        #expect(EndSessionRequest(provider: app.provider, idToken: nil, redirectURI: nil) == nil)
    }

    // MARK: Revocation

    @Test func `a revoked refresh token is refused`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        let kept = try await app.signIn()
        try await app.provider.revoke(try #require(tokens.tokens.refreshToken))
        #expect(try app.onlyRequest(at: .revocation).formValue("token_type_hint") == "refresh_token")
        let error = await #expect(throws: OpenIDError.self) { try await app.refreshed(tokens) }
        #expect(error?.oauthCode == .invalidGrant)
        #expect(try await app.refreshed(kept).tokens.refreshToken != nil)
    }

    @Test func `a revoked access token is refused, and the session continues`() async throws {
        let app = try await RelyingParty()
        let tokens = try await app.signIn()
        try await app.provider.revoke(tokens.tokens.accessToken)
        #expect(try app.onlyRequest(at: .revocation).formValue("token_type_hint") == "access_token")
        let error = await #expect(throws: OpenIDError.self) { try await app.userInfo(tokens) }
        #expect(error == OpenIDError(.userInfo, .unauthorized))
        #expect(try await app.refreshed(tokens).tokens.refreshToken != nil)
    }

    @Test(
        arguments: [
            (.status(503, at: .revocation), OpenIDError(.revocation, .serverFailed), true),
            (.unreachable(at: .revocation), OpenIDError(.revocation, .unreachable), true),
            (.dropResponse(at: .revocation), OpenIDError(.revocation, .unreachable), true),
            (.status(429, at: .revocation), OpenIDError(.revocation, .rateLimited), true),
            (.error("unsupported_token_type", at: .revocation), OpenIDError(.revocation, .refused), false),
            (
                .error("temporarily_unavailable", status: 425, at: .revocation),
                OpenIDError(.revocation, .serverFailed), true
            ),
            (
                .redirect(to: "https://evil.example/revoke", at: .revocation), OpenIDError(.revocation, .redirected),
                true
            ),
        ] as [(InProcessProvider.Fault, OpenIDError, Bool)]
    )
    func `the error of a failed revocation states whether it is retryable`(
        fault: InProcessProvider.Fault,
        code: OpenIDError,
        isRetryable: Bool
    ) async throws {
        let app = try await RelyingParty()
        let token = try #require(try await app.signIn().tokens.refreshToken)
        app.server.inject(fault)
        let error = await #expect(throws: OpenIDError.self) { try await app.provider.revoke(token) }
        #expect(error == code)
        #expect(error?.isRetryable == isRetryable)
        #expect(app.contactedOnlyProvider)
        try await app.provider.revoke(token)
        #expect(app.server.requests(at: .revocation).count == 2)
    }

    /// A gateway's refusal is not the provider's: the token is still valid, and must be revoked later.
    @Test(arguments: [302, 403, 404, 418]) func `a page in place of a revocation response is retryable`(
        status: Int
    ) async throws {
        let app = try await RelyingParty()
        let token = try #require(try await app.signIn().tokens.refreshToken)
        app.server.inject(.html(status: status, at: .revocation))
        let error = await #expect(throws: OpenIDError.self) { try await app.provider.revoke(token) }
        #expect(error == (status == 302 ? OpenIDError(.revocation, .redirected) : OpenIDError(.revocation, .refused)))
        #expect(error?.isRetryable == true)
    }

    /// Seen at providers for a public client.
    @Test(arguments: [400, 401, 403]) func `a refusal of a revocation without an error code is not retryable`(
        status: Int
    ) async throws {
        let app = try await RelyingParty()
        let token = try #require(try await app.signIn().tokens.refreshToken)
        app.server.inject(.status(status, at: .revocation))
        let error = await #expect(throws: OpenIDError.self) { try await app.provider.revoke(token) }
        #expect(error == OpenIDError(.revocation, .refused))
        #expect(error?.oauthCode == nil)
        #expect(error?.status == status)
        #expect(error?.isRetryable == false)
    }

    // MARK: Tokens of a failed sign-in

    @Test func `tokens are revoked if their ID token is refused`() async throws {
        let app = try await RelyingParty()
        app.server.inject(.claim("nonce", .string("another")))
        await #expect(throws: OpenIDError(.token, .idToken(IDTokenError(.nonceMismatch)))) { try await app.signIn() }
        #expect(app.server.activeRefreshTokenCount == 0)
        #expect(app.server.requests(at: .revocation).count == 1)
        #expect(app.server.requests(at: .userInfo).isEmpty)
    }
}
